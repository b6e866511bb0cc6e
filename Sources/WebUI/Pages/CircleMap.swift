internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Where the members of a circle are: a map with the same in words beside it, and one's own place told.
func addCircleMap(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/circles/:id/map") { request, context in
        let model = try await circleModel(context, house)
        let state = await model.send(.opened(before: nil, isSeen: false, draft: MessageDraft()))
        if isFragment(request), state.access == .open { return house.fragment(mapHTML(state, house, context)) }
        return try await openCirclePage(state, at: "map", request, context, house) { item, head in
            house.templates.render(
                "circle-map",
                [
                    "csrf": try context.requireSession().formToken, "word": item.word, "headHTML": head,
                    "isMember": item.isMember, "interval": sharingInterval,
                    "hasTiles": house.tiles?.leaflet != nil && tileSource(context.settings) != nil,
                    "mapHTML": mapHTML(state, house, context),
                ])
        }
    }
    router.post("/circles/:id/place") { request, context in
        let id = try circleID(context)
        guard let place = tellPlace(context.form, now: house.clock.now()) else {
            throw HTTPError(.unprocessableContent, message: "Your browser did not say where you are.")
        }
        try await (try context.requireDesk()).tell(place, in: id)
        let word = try context.parameters.require("id")
        return isFragment(request) ? Response(status: .noContent) : redirect(to: "/circles/\(word)/map")
    }
}

/// How often a page tells a place; unit: seconds.
private let sharingInterval = 300

private func tellPlace(_ form: Form, now: Timestamp) -> BrowserPlace? {
    guard let latitude = Double(form["lat"]), let longitude = Double(form["lon"]), let accuracy = Double(form["acc"])
    else { return nil }
    return BrowserPlace(
        latitude: latitude, longitude: longitude, altitude: Double(form["alt"]), accuracy: accuracy, sentAt: now,
        battery: Int(form["battery"]), interval: sharingInterval)
}

/// The map: pins for its script, and the same in words for everybody.
private func mapHTML(_ state: CircleState, _ house: House, _ context: WebContext) -> HTML {
    let style = house.noteStyle(context)
    var html = HTML()
    html.add(markup: "<script type=\"application/json\" id=\"pins\">")
    html.add(HTML(markup: pins(state.members, now: style.now).text.replacing("<", with: "\\u003c")))
    html.add(markup: "</script><div class=\"map\" data-pins=\"pins\" data-circle-map=\"")
    html.add("", state.word, "\" data-path=\"/circles/")
    html.add("", state.word, "/map\"")
    if house.tiles?.leaflet != nil, let source = tileSource(context.settings) {
        html.add(markup: " data-tiles=\"/map/tiles/{z}/{x}/{y}\" data-leaflet=\"/map/leaflet/leaflet.js\"")
        html.add(" data-max-zoom=\"", String(source.maxZoom), "\"")
        html.add(" data-attribution=\"", source.attribution, "\"")
    }
    html.add(markup: "><ul class=\"map-people\" data-people aria-label=\"People\">")
    for member in state.members {
        html.add("<li class=\"map-person\" data-pin=\"", member.person.key.hex, "\">")
        html.add("", member.isOwn ? "You" : member.name, ": ")
        html.add("", words(of: member.place, now: style.now), "</li>")
    }
    html.add(markup: "</ul></div>")
    return html
}

private func words(of place: PlaceItem?, now: Timestamp) -> String {
    guard let place else { return "has not said where they are" }
    var words = ["\(spoken(place.sentAt, now: now)), within \(Int(min(place.accuracy, 1e7))) m"]
    if let battery = place.battery { words.append("battery \(battery) %") }
    if !place.words.isEmpty { words.append(place.words) }
    return words.joined(separator: ", ")
}

private func pins(_ members: [CircleMemberItem], now: Timestamp) -> JSONValue {
    let pins = members.map { member in
        var pin = [
            JSONMember("key", .string(member.person.key.hex)), JSONMember("name", .string(member.name)),
            JSONMember("picture", .string("/avatar/\(member.person.key.hex).svg")),
            JSONMember("isSelf", .bool(member.isOwn)),
        ]
        guard let place = member.place else {
            pin += [JSONMember("lat", .null), JSONMember("lon", .null), JSONMember("state", .string("nofix"))]
            pin.append(JSONMember("words", .string("has not said where they are")))
            return JSONValue.object(pin)
        }
        pin += [
            JSONMember("lat", .number("\(place.latitude)")), JSONMember("lon", .number("\(place.longitude)")),
            JSONMember("accuracy", .number("\(place.accuracy)")),
            JSONMember("age", .number("\(max(0, now.seconds - place.sentAt.seconds))")),
            JSONMember("sentAt", .number("\(place.sentAt.seconds)")), JSONMember("state", .string(place.state)),
            JSONMember("words", .string(place.words)),
        ]
        if let battery = place.battery { pin.append(JSONMember("battery", .number("\(battery)"))) }
        return JSONValue.object(pin)
    }
    return .object([JSONMember("pins", .array(pins)), JSONMember("places", .array([]))])
}
