internal import HTTPTypes
internal import Hummingbird
internal import NostrNIPs
internal import ViewModels

/// Settings, accounts and help.
func addSettings(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/settings") { request, context in
        try await settingsPage(request, context, house, link: nil)
    }
    router.post("/settings") { request, context in
        var settings = context.settings
        settings.theme = Settings.Theme(rawValue: context.form["theme"]) ?? settings.theme
        settings.remoteMedia = Settings.RemoteMedia(rawValue: context.form["media"]) ?? settings.remoteMedia
        do { try await house.settings.keep(settings) } catch { throw Trouble(error) }
        return redirect(to: "/settings?saved=1")
    }
    router.post("/settings/link") { request, context in
        let link = "http://\(request.head.authority ?? "localhost")/login?token=" + house.sessions.makeToken()
        return try await settingsPage(request, context, house, link: link)
    }
    router.post("/settings/work") { _, context in
        let form = context.form
        let bits = { (name: String) in Int(form[name]) ?? 0 }
        try await (try context.requireDesk()).setWork(
            WorkChoice(notes: bits("notes"), reactions: bits("reactions"), messages: bits("messages")))
        return redirect(to: "/settings?saved=1")
    }
    router.get("/shortcuts") { request, context in
        try await house.page(
            title: "Keyboard shortcuts", at: .none, house.templates.render("shortcuts", [:] as [String: Any]),
            request: request, context: context)
    }
}

private func settingsPage(
    _ request: Request, _ context: WebContext, _ house: House, link: String?
) async throws -> Response {
    let settings = context.settings
    let themes: [(Settings.Theme, String)] = [(.system, "Like the system"), (.light, "Light"), (.dark, "Dark")]
    let media: [(Settings.RemoteMedia, String, String)] = [
        (.never, "Never", "Nothing is loaded from elsewhere. People are shown with drawn feathers."),
        (.follows, "From people you follow", "Servers they chose learn your address when you see a picture."),
        (.always, "Always", "Any server a note names learns your address when you see the note."),
    ]
    let desk = try context.requireDesk()
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "isSaved": request.uri.queryParameters["saved"] != nil,
        "themes": themes.map {
            ["value": $0.rawValue, "label": $1, "isChosen": $0 == settings.theme] as [String: Any]
        },
        "media": media.map {
            ["value": $0.rawValue, "label": $1, "hint": $2, "isChosen": $0 == settings.remoteMedia] as [String: Any]
        },
        "hasLink": link != nil, "link": link ?? "", "version": house.configuration.version, "npub": desk.own.npub,
        "name": await desk.ownPerson().name, "canSign": desk.canSign, "isLocked": context.session?.isLocked ?? false,
    ]
    values["hasKeyPage"] = house.keys != nil
    values["hasMaps"] = house.tiles != nil
    values["hasPlace"] = house.place != nil
    if desk.canSign {
        let work = try await desk.workChoice()
        values["work"] = [
            ("notes", "Notes", work.notes), ("reactions", "Reactions", work.reactions),
            ("messages", "Messages, for each recipient", work.messages),
        ].map {
            ["field": $0.0, "label": $0.1, "bits": $0.2] as [String: Any]
        }
        values["hasWork"] = true
        values["mostWork"] = WorkChoice.most
    }
    return try await house.page(
        title: "Settings", at: .settings, house.templates.render("settings", values), request: request,
        context: context)
}
