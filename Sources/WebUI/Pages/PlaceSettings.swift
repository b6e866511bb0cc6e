internal import Hummingbird
internal import ViewModels

/// The page where a person chooses what tells this machine's place.
func addPlaceSettings(to router: some RouterMethods<WebContext>, _ house: House) {
    guard let place = house.place else { return }
    router.get("/settings/place") { request, context in
        try await placePage(PlaceForm(context.settings.placeSource), nil, nil, request, context, place, house)
    }
    router.post("/settings/place") { request, context in
        let form = PlaceForm(context.form)
        var settings = context.settings
        do {
            settings.placeSource = try form.source()
            if let source = settings.placeSource { try await place.check(source) }
            try await form.keepPlace(try context.requireDesk())
            try await house.settings.keep(settings)
        } catch {
            return try await placePage(form, Trouble(error).sentence, nil, request, context, place, house)
        }
        await place.use(settings.placeSource)
        return redirect(to: "/settings/place?saved=1")
    }
    router.post("/settings/place/look") { request, context in
        guard let source = context.settings.placeSource else { return redirect(to: "/settings/place") }
        let outcome = source.sentence(await (try context.requireDesk()).look(by: source, with: place))
        return try await placePage(PlaceForm(source), nil, outcome, request, context, place, house)
    }
    router.post("/settings/place/forget") { _, context in
        try await (try context.requireDesk()).forgetFixedPlace()
        return redirect(to: "/settings/place?forgotten=1")
    }
}

/// What stands in the page's form.
private struct PlaceForm {
    enum Choice: String, CaseIterable {
        case none, gpsd, geoClue = "geoclue", track, fixed
    }

    var choice = Choice.none
    var address = "127.0.0.1:2947"
    var file = ""
    /// Two numbers; empty to leave what is kept.
    var place = ""

    init(_ source: PlaceSource?) {
        switch source {
        case nil: choice = .none
        case .gpsd(let address): (choice, self.address) = (.gpsd, address)
        case .geoClue: choice = .geoClue
        case .track(let file): (choice, self.file) = (.track, file)
        case .fixed: choice = .fixed
        }
    }

    init(_ form: Form) {
        choice = Choice(rawValue: form["source"]) ?? .none
        address = trimmed(form["address"])
        file = trimmed(form["file"])
        place = trimmed(form["place"])
    }

    /// What was chosen; nil for the browser's page alone.
    func source() throws(Trouble) -> PlaceSource? {
        if choice == .track, file.utf8.count > 1000 { throw Trouble("That is longer than a path.", canRetry: false) }
        return switch choice {
        case .none: nil
        case .gpsd: .gpsd(address: address)
        case .geoClue: .geoClue
        case .track: .track(file: file)
        case .fixed: .fixed
        }
    }

    /// Keeps the place that was entered, with the account and encrypted.
    func keepPlace(_ desk: Desk) async throws(Trouble) {
        guard choice == .fixed else { return }
        if place.isEmpty, try await desk.fixedPlace() != nil { return }
        let numbers = place.split { $0 == "," || $0.isWhitespace }.map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
            throw Trouble("Give a latitude and a longitude in degrees, as in 52.5163 13.3777.", canRetry: false)
        }
        try await desk.keepFixedPlace(latitude: latitude, longitude: longitude)
    }
}

private func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
}

private func placePage(
    _ form: PlaceForm, _ problem: String?, _ outcome: String?, _ request: Request, _ context: WebContext,
    _ place: any MachinePlace, _ house: House
) async throws -> Response {
    // Locked, it cannot be told whether there is one; then none is shown.
    let hasPlace = (try? await (try context.requireDesk()).fixedPlace()) != nil
    let choices: [(PlaceForm.Choice, String, String)] = [
        (.none, "Only the page in the browser", "A place is told while a page of a circle's map is open."),
        (.gpsd, "gpsd", "A receiver on this machine or in your network; what it says travels unencrypted."),
        (.geoClue, "GeoClue", "The location service of the desktop; it may ask you whether Linnet may."),
        (.track, "A recorded way", "For trying things out: a GPX file is gone along again and again."),
        (.fixed, "A place that does not move", "It is kept encrypted with your account."),
    ]
    let values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "hasProblem": problem != nil, "problem": problem ?? "",
        "hasOutcome": outcome != nil, "outcome": outcome ?? "", "canLook": context.settings.placeSource != nil,
        "isSaved": request.uri.queryParameters["saved"] != nil,
        "isForgotten": request.uri.queryParameters["forgotten"] != nil,
        "choices": choices.filter { $0.0 != .geoClue || place.offersGeoClue }.map {
            ["value": $0.0.rawValue, "label": $0.1, "hint": $0.2, "isChosen": $0.0 == form.choice] as [String: Any]
        },
        "address": form.address, "file": form.file, "place": form.place, "hasPlace": hasPlace,
    ]
    return try await house.page(
        title: "This machine's place", at: .settings, house.templates.render("settings-place", values),
        request: request, context: context, status: problem == nil ? .ok : .unprocessableContent)
}
