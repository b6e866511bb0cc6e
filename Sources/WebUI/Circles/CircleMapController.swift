internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// Where the members of a circle are, and telling them where the account is.
struct CircleMapController {
    let circles: CirclePages
    let tiles: (any MapPictures)?

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/circles/:id/map") { try await page(nil, $0, $1) }
        router.post("/circles/:id/place", use: read)
        router.post("/circles/:id/sharing", use: configure)
        for act in MapAct.allCases {
            router.post("/circles/:id/\(act.rawValue)") { try await perform(act, $0, $1) }
        }
    }

    /// How the place is shared, from the page of settings.
    @Sendable private func configure(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        var choice = SharingChoice(interval: Int(form["interval"]) ?? 3600, blur: Int(form["blur"]))
        (choice.isLowPower, choice.keepsTrail) = (form.has("low_power"), form.has("trail"))
        (choice.tellsWhy, choice.lowBattery) = (form.has("why"), Int(form["battery"]))
        try await SharingActions(of: try context.requireAccount()).configure(choice, in: try circles.id(context))
        try context.requireSession().browser.leave(Notice(sentence: CircleWords.settingsSaved))
        return redirect(to: "/circles/\(try context.parameters.require("id"))/settings")
    }

    /// Where the browser says its device is.
    @Sendable private func read(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let reading = reading(context.form, now: circles.mail.pages.now) else {
            throw HTTPError(.unprocessableContent, message: PlaceWords.browserSaidNothing)
        }
        try await SharingActions(of: try context.requireAccount()).read(reading)
        let word = try context.parameters.require("id")
        return isFragment(request) ? Response(status: .noContent) : redirect(to: "/circles/\(word)/map")
    }

    private func perform(_ act: MapAct, _ request: Request, _ context: WebContext) async throws -> Response {
        do {
            try await act.perform(
                context.form, try circles.id(context), SharingActions(of: try context.requireAccount()),
                now: circles.mail.pages.now)
        } catch let trouble as Trouble {
            return try await page(trouble, request, context)
        }
        return redirect(to: "/circles/\(try context.parameters.require("id"))/map")
    }

    private func page(_ trouble: Trouble?, _ request: Request, _ context: WebContext) async throws -> Response {
        let state = try await circles.state(context)
        let status: HTTPResponse.Status = trouble == nil ? .ok : .unprocessableContent
        return try await circles.page(state, at: .map, request, context, status: status) { item, head in
            let map = try await circles.actions(context).map(of: state)
            return circleMapView(
                CircleMap(
                    state: state, item: item, map: map,
                    tiles: tiles?.drawn(context.personal.mapSource),
                    problem: trouble?.sentence, token: try context.requireSession().formToken,
                    now: circles.mail.pages.now), head: head)
        }
    }

    private func reading(_ form: Form, now: Timestamp) -> BrowserReading? {
        if form.has("error") { return BrowserReading(failure: form["error"]) }
        guard let latitude = Double(form["lat"]), let longitude = Double(form["lon"]),
            let accuracy = Double(form["acc"])
        else { return nil }
        // A clock that is ahead must not make a place look newer than the next one.
        let moment = Int64(form["ts"]).map { min(Timestamp(seconds: $0), now) } ?? now
        return BrowserReading(
            latitude: latitude, longitude: longitude, accuracy: accuracy, altitude: Double(form["alt"]),
            moment: moment, battery: Int(form["battery"]))
    }
}

/// What is done on the map's page.
private enum MapAct: String, CaseIterable {
    case start = "sharing/start", stop = "sharing/stop", rest = "sharing/rest", resume = "sharing/resume"
    case now = "sharing/now", name = "places", forget = "places/forget", trails

    func perform(_ form: Form, _ id: CircleName, _ sharing: SharingActions, now: Timestamp) async throws {
        switch self {
        case .start: try await sharing.share(every: Int(form["interval"]) ?? 3600, blur: Int(form["blur"]), in: id)
        case .stop: try await sharing.stop(in: id)
        case .rest:
            let hours = min(max(Int(form["hours"]) ?? 0, 0), 24 * 7)
            try await sharing.pause(until: hours == 0 ? nil : now + .seconds(hours * 3600), in: id)
        case .resume: try await sharing.resume(in: id)
        case .now: try await sharing.sendNow(in: id)
        case .name: try await namePlace(form, id, sharing)
        case .forget: try await sharing.forget(form["place"], in: id)
        case .trails: try await sharing.keepTrails(days: Int(form["days"]), in: id)
        }
    }

    private func namePlace(_ form: Form, _ id: CircleName, _ sharing: SharingActions) async throws {
        // What is chosen from the list is written as two numbers; else they stand in their own fields.
        let chosen = form["where"].split(separator: " ").compactMap { Double($0) }
        let written = ["lat", "lon"].compactMap { Double(form[$0].filter { !$0.isWhitespace }) }
        let place = chosen.count == 2 ? chosen : written
        guard place.count == 2 else { throw Trouble(PlaceWords.sayWhere, canRetry: false) }
        try await sharing.name(
            form["name"], latitude: place[0], longitude: place[1], radius: Double(form["radius"]) ?? 150, in: id)
    }
}
