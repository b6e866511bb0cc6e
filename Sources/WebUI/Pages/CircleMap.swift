internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Where the members of a circle are: a map with the same in words beside it, and one's own place told.
func addCircleMap(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/circles/:id/map") { request, context in
        try await mapPage(nil, request, context, house)
    }
    router.post("/circles/:id/place") { request, context in
        guard let reading = reading(context.form, now: house.clock.now()) else {
            throw HTTPError(.unprocessableContent, message: "Your browser did not say where you are.")
        }
        try await (try context.requireDesk()).read(reading)
        let word = try context.parameters.require("id")
        return isFragment(request) ? Response(status: .noContent) : redirect(to: "/circles/\(word)/map")
    }
    for act in MapAct.allCases {
        router.post("/circles/:id/\(act.rawValue)") { request, context in
            do {
                try await act.perform(
                    context.form, try circleID(context), try context.requireDesk(), now: house.clock.now())
            } catch let trouble as Trouble {
                return try await mapPage(trouble, request, context, house)
            }
            return redirect(to: "/circles/\(try context.parameters.require("id"))/map")
        }
    }
}

/// What one does on the map's page.
private enum MapAct: String, CaseIterable {
    case start = "sharing/start", stop = "sharing/stop", rest = "sharing/rest", resume = "sharing/resume"
    case now = "sharing/now", name = "places", forget = "places/forget", trails

    func perform(_ form: Form, _ id: CircleName, _ desk: Desk, now: Timestamp) async throws {
        switch self {
        case .start: try await desk.share(every: Int(form["interval"]) ?? 3600, blur: Int(form["blur"]), in: id)
        case .stop: try await desk.stopSharing(in: id)
        case .rest:
            let hours = min(max(Int(form["hours"]) ?? 0, 0), 24 * 7)
            try await desk.pauseSharing(until: hours == 0 ? nil : now + .seconds(hours * 3600), in: id)
        case .resume: try await desk.resumeSharing(in: id)
        case .now: try await desk.sendPlaceNow(in: id)
        case .name:
            // What is chosen from the list is written as two numbers; else they stand in their own fields.
            let chosen = form["where"].split(separator: " ").compactMap { Double($0) }
            let written = ["lat", "lon"].compactMap { Double(form[$0].filter { !$0.isWhitespace }) }
            let place = chosen.count == 2 ? chosen : written
            guard place.count == 2 else {
                throw Trouble(
                    "Say where the place is: latitude and longitude, as 52.5163 and 13.3777.", canRetry: false)
            }
            try await desk.namePlace(
                form["name"], latitude: place[0], longitude: place[1], radius: Double(form["radius"]) ?? 150, in: id)
        case .forget: try await desk.forgetPlace(form["place"], in: id)
        case .trails: try await desk.keepTrails(days: Int(form["days"]), in: id)
        }
    }
}

private func mapPage(
    _ trouble: Trouble?, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let model = try await circleModel(context, house)
    let state = await model.send(.opened(before: nil, isSeen: false, draft: MessageDraft()))
    let status: HTTPResponse.Status = trouble == nil ? .ok : .unprocessableContent
    return try await openCirclePage(state, at: "map", request, context, house, status: status) { item, head in
        let map = try await (try context.requireDesk()).circleMap(state)
        let style = house.noteStyle(context)
        let csrf = try context.requireSession().formToken.word
        var values: [String: Any] = [
            "csrf": csrf, "word": item.word, "headHTML": head, "isMember": item.isMember,
            "hasProblem": trouble != nil, "problem": trouble?.sentence ?? "",
            "hasTiles": house.tiles?.drawn(context.settings.mapSource) != nil,
            "mapHTML": mapHTML(state, map, house, context), "hasNotices": !map.notices.isEmpty,
            "notices": map.notices.prefix(8).map {
                ["sentence": $0.sentence, "utc": utc($0.at), "when": spoken($0.at, now: style.now)]
            },
            "hasPlaces": !map.places.isEmpty,
            "places": map.places.map { ["id": $0.id, "name": $0.name, "radius": $0.radius] as [String: Any] },
            "known": state.members.compactMap(knownPlace), "days": dayChoices(map.trailDays),
        ]
        values["sharingHTML"] =
            item.isMember
            ? house.templates.render("circle-sharing", sharingValues(map.sharing, item, csrf, style)) : HTML()
        return house.templates.render("circle-map", values)
    }
}

private func reading(_ form: Form, now: Timestamp) -> BrowserReading? {
    if form.has("error") { return BrowserReading(failure: form["error"]) }
    guard let latitude = Double(form["lat"]), let longitude = Double(form["lon"]), let accuracy = Double(form["acc"])
    else { return nil }
    // A clock that is ahead must not make a place look newer than the next one.
    let moment = Int64(form["ts"]).map { min(Timestamp(seconds: $0), now) } ?? now
    return BrowserReading(
        latitude: latitude, longitude: longitude, accuracy: accuracy, altitude: Double(form["alt"]), moment: moment,
        battery: Int(form["battery"]))
}

// MARK: One's own place

private func sharingValues(
    _ sharing: SharingItem, _ item: CircleItem, _ csrf: String, _ style: NoteStyle
) -> [String: Any] {
    [
        "csrf": csrf, "word": item.word, "isOn": sharing.isOn, "isResting": sharing.isResting,
        "isLooking": sharing.look != nil, "look": sharing.look ?? sharing.interval,
        "hasEnd": sharing.restsUntil != nil, "endUTC": sharing.restsUntil.map(utc) ?? "",
        "end": sharing.restsUntil.map { spoken($0, now: style.now) } ?? "", "hasTold": sharing.toldAt != nil,
        "toldUTC": sharing.toldAt.map(utc) ?? "", "told": sharing.toldAt.map { spoken($0, now: style.now) } ?? "",
        "hasWaiting": sharing.waiting > 0, "waiting": sharing.waiting, "trouble": sharing.trouble,
        "intervalWords": intervalWords(sharing.interval),
        "blurWords": sharing.blur.map { " to within \(length($0))" } ?? "",
        "intervals": choices(SharingItem.intervals, chosen: sharing.interval, intervalWords),
        "blurs": [["value": "", "label": "As exactly as known", "isChosen": sharing.blur == nil] as [String: Any]]
            + choices(SharingItem.blurs, chosen: sharing.blur) { "To within \(length($0))" },
    ]
}

private func choices(_ values: [Int], chosen: Int?, _ words: (Int) -> String) -> [[String: Any]] {
    values.map { ["value": "\($0)", "label": words($0), "isChosen": $0 == chosen] }
}

private func intervalWords(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "every \(seconds) seconds"
    case 60: "every minute"
    case ..<3600: "every \(seconds / 60) minutes"
    default: "every hour"
    }
}

private func length(_ metres: Int) -> String { metres < 1000 ? "\(metres) m" : "\(metres / 1000) km" }

private func dayChoices(_ chosen: Int?) -> [[String: Any]] {
    [["value": "", "label": "No", "isChosen": chosen == nil] as [String: Any]]
        + choices([1, 7, 30], chosen: chosen) { $0 == 1 ? "For a day" : "For \($0) days" }
}

private func knownPlace(_ member: CircleMemberItem) -> [String: Any]? {
    member.place.map {
        ["where": "\($0.latitude) \($0.longitude)", "label": member.isOwn ? "Where I am" : "Where \(member.name) is"]
    }
}

// MARK: The map

/// The map: pins for its script, and the same in words for everybody.
private func mapHTML(_ state: CircleState, _ map: CircleMapItem, _ house: House, _ context: WebContext) -> HTML {
    let style = house.noteStyle(context)
    var html = HTML()
    html.add(markup: "<script type=\"application/json\" id=\"pins\">")
    html.add(HTML(markup: pins(state, map, now: style.now).text.replacing("<", with: "\\u003c")))
    html.add(markup: "</script><div class=\"map\" data-pins=\"pins\" data-circle-map=\"")
    html.add("", state.word, "\" data-path=\"/circles/")
    html.add("", state.word, "/map\"")
    if let source = house.tiles?.drawn(context.settings.mapSource) {
        html.add(markup: " data-tiles=\"/map/tiles/{z}/{x}/{y}\" data-leaflet=\"/map/leaflet/leaflet.js\"")
        html.add(" data-max-zoom=\"", String(source.maxZoom), "\"")
        html.add(" data-attribution=\"", source.attribution, "\"")
    }
    html.add(markup: "><ul class=\"map-people\" data-people aria-label=\"People\">")
    for member in state.members {
        html.add("<li class=\"map-person\" data-pin=\"", member.person.key.hex, "\">")
        html.add("", member.isOwn ? "You" : member.name, ": ")
        html.add("", words(of: member, now: style.now), "</li>")
    }
    html.add(markup: "</ul></div>")
    return html
}

private func words(of member: CircleMemberItem, now: Timestamp) -> String {
    guard let place = member.place else { return member.whyNone }
    var words = member.whereabouts.map { "at \($0)" }
    words.append("\(spoken(place.sentAt, now: now)), within \(Int(min(place.accuracy, 1e7))) m")
    if let battery = place.battery { words.append("battery \(battery) %") }
    if !place.words.isEmpty { words.append(place.words) }
    return words.joined(separator: ", ")
}

private func pins(_ state: CircleState, _ map: CircleMapItem, now: Timestamp) -> JSONValue {
    func number(_ value: Double) -> JSONValue { .number("\(value)") }
    let pins = state.members.map { member in
        let picture = member.picture.map { address(of: $0, in: state.word) }
        var pin = [
            JSONMember("key", .string(member.person.key.hex)), JSONMember("name", .string(member.name)),
            JSONMember("picture", .string(picture ?? "/avatar/\(member.person.key.hex).svg")),
            JSONMember("isSelf", .bool(member.isOwn)),
        ]
        guard let place = member.place else {
            pin += [JSONMember("lat", .null), JSONMember("lon", .null), JSONMember("state", .string("nofix"))]
            pin.append(JSONMember("words", .string(member.whyNone)))
            return JSONValue.object(pin)
        }
        pin += [
            JSONMember("lat", number(place.latitude)), JSONMember("lon", number(place.longitude)),
            JSONMember("accuracy", number(place.accuracy)),
            JSONMember("age", .number("\(max(0, now.seconds - place.sentAt.seconds))")),
            JSONMember("sentAt", .number("\(place.sentAt.seconds)")), JSONMember("state", .string(place.state)),
            JSONMember("words", .string(place.words)),
        ]
        if let end = place.freshUntil {
            pin.append(JSONMember("freshFor", .number("\(max(0, end.seconds - now.seconds))")))
        }
        if let battery = place.battery { pin.append(JSONMember("battery", .number("\(battery)"))) }
        if let trail = map.trails[member.person.key] {
            pin.append(JSONMember("trail", .array(trail.map { .array($0.map(number)) })))
        }
        return JSONValue.object(pin)
    }
    let places = map.places.map { place in
        JSONValue.object([
            JSONMember("name", .string(place.name)), JSONMember("lat", number(place.latitude)),
            JSONMember("lon", number(place.longitude)), JSONMember("radius", .number("\(place.radius)")),
        ])
    }
    return .object([JSONMember("pins", .array(pins)), JSONMember("places", .array(places))])
}
