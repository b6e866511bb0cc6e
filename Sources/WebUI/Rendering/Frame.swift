internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// The places of the navigation.
enum Place: String, CaseIterable {
    case home, search, compose, relays, profile, settings, none
}

extension House {
    /// A whole page inside the frame: navigation, the main column, and what stands beside it.
    func page(
        title: String, at place: Place, _ main: HTML, beside aside: HTML = HTML(), request: Request,
        context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let session = try context.requireSession()
        let desk = try context.requireDesk()
        let style = noteStyle(context)
        var values = frameValues(title: title, context)
        values["csrf"] = session.formToken
        values["own"] = PersonFields(person: await desk.ownPerson(), style: style, isOwn: true)
        values["isLocked"] = session.isLocked
        values["canSign"] = desk.canSign
        values["connection"] = connectionValues(await desk.connection())
        values["mainHTML"] = main
        values["asideHTML"] = aside
        for candidate in Place.allCases { values["at_" + candidate.rawValue] = candidate == place }
        let held = request.uri.queryParameters["held"].map(String.init) ?? ""
        values["heldHTML"] = await heldNote(held)
        return answer(templates.render("page", values), status: status)
    }

    /// A page outside the frame, for those who are not in yet.
    func bare(
        title: String, _ main: HTML, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        var values = frameValues(title: title, context)
        values["csrf"] = context.session?.formToken ?? ""
        values["mainHTML"] = main
        return answer(templates.render("bare", values), status: status)
    }

    /// A part of a page, for a script to put in place.
    func fragment(_ html: HTML, status: HTTPResponse.Status = .ok) -> Response {
        answer(html, status: status)
    }

    /// How notes are drawn for this request.
    func noteStyle(_ context: WebContext) -> NoteStyle {
        NoteStyle(
            now: clock.now(), media: context.settings.remoteMedia, pictureHosts: configuration.pictureHosts,
            canSign: context.session?.desk?.canSign ?? false, assets: "/assets/" + assets.version)
    }

    /// The state of the connections for templates.
    func connectionValues(_ connection: ConnectionItem) -> [String: Any] {
        let isUp = connection.connected > 0
        let isWanted = connection.wanted > 0
        return [
            "state": isUp ? "up" : (isWanted ? "down" : "idle"),
            "sentence": isUp
                ? "\(connection.connected) of \(connection.wanted) relays"
                : (isWanted ? "No relay answers" : "Looking for relays"),
            "hasQueue": connection.queued > 0, "queued": connection.queued,
        ]
    }

    private func frameValues(title: String, _ context: WebContext) -> [String: Any] {
        ["title": title, "theme": context.settings.theme.rawValue, "isDemo": configuration.isDemo]
    }

    private func answer(_ html: HTML, status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: .init(string: html.text)))
    }
}
