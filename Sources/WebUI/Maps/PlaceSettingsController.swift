internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// The page where a person chooses what tells this machine's place.
struct PlaceSettingsController {
    let pages: PageRenderer
    let place: any MachinePlace
    let settings: any PersonalSettingsKeeping

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/settings/place") { try await page(PlaceForm($1.personal.placeSource), $0, $1) }
        router.post("/settings/place", use: save)
        router.post("/settings/place/look", use: look)
        router.post("/settings/place/forget", use: forget)
    }

    @Sendable private func save(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = PlaceForm(context.form)
        let account = try context.requireAccount()
        var changed = context.personal
        do {
            changed.placeSource = try form.source()
            if let source = changed.placeSource { try await place.check(source) }
            try await form.keepPlace(SharingActions(of: account))
            try await settings.keep(changed, of: account.publicKey)
        } catch {
            return try await page(form, problem: Trouble(error).sentence, request, context)
        }
        await place.placeSourceDidChange(of: account.publicKey)
        return redirect(to: "/settings/place?saved=1")
    }

    @Sendable private func look(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let source = context.personal.placeSource else { return redirect(to: "/settings/place") }
        let outcome = await place.look(by: source, for: try context.requireAccount())
        return try await page(
            PlaceForm(source), outcome: PlaceWords.outcome(outcome, of: source), request, context)
    }

    @Sendable private func forget(_ request: Request, _ context: WebContext) async throws -> Response {
        try await SharingActions(of: try context.requireAccount()).forgetFixedPlace()
        return redirect(to: "/settings/place?forgotten=1")
    }

    private func page(
        _ form: PlaceForm, problem: String? = nil, outcome: String? = nil, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let query = request.uri.queryParameters
        let actions = SharingActions(of: try context.requireAccount())
        let view = PlaceSettings(
            form: form, problem: problem, outcome: outcome, offersGeoClue: place.offersGeoClue,
            // Locked, it cannot be told whether there is one; then none is shown.
            hasPlace: (try? await actions.fixedPlace()) != nil, canLook: context.personal.placeSource != nil,
            isSaved: query["saved"] != nil, isForgotten: query["forgotten"] != nil)
        return try await pages.page(
            title: "This machine's place", at: .settings,
            placeSettingsView(view, try context.requireSession().formToken), request: request, context: context,
            status: problem == nil ? .ok : .unprocessableContent)
    }
}

/// What stands in the page's form.
struct PlaceForm {
    var choice = PlaceSource.Sort.none
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
        choice = PlaceSource.Sort(rawValue: form["source"]) ?? .none
        address = trimmed(form["address"])
        file = trimmed(form["file"])
        place = trimmed(form["place"])
    }

    /// What was chosen; nil for the browser's page alone.
    func source() throws(Trouble) -> PlaceSource? {
        if choice == .track, file.utf8.count > 1000 { throw Trouble(PlaceWords.longPath, canRetry: false) }
        return switch choice {
        case .none: nil
        case .gpsd: .gpsd(address: address)
        case .geoClue: .geoClue
        case .track: .track(file: file)
        case .fixed: .fixed
        }
    }

    /// Keeps the place that was entered, with the account and encrypted.
    func keepPlace(_ actions: SharingActions) async throws(Trouble) {
        guard choice == .fixed else { return }
        if place.isEmpty, try await actions.fixedPlace() != nil { return }
        let numbers = place.split { $0 == "," || $0.isWhitespace }.map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
            throw Trouble(PlaceWords.giveDegrees, canRetry: false)
        }
        try await actions.keepFixedPlace(latitude: latitude, longitude: longitude)
    }
}

private func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
}
