internal import HTTPTypes
internal import Hummingbird
internal import NostrNIPs
internal import ViewModels

/// Search: people and notes, and going straight to what was pasted.
func addSearch(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/search") { request, context in
        let form = Form(encoded: request.uri.query ?? "")
        let text = form["q"]
        if let path = pastedPath(text) { return redirect(to: path) }
        let place = timelinePlace(request)
        let state = await (try context.requireDesk()).search().send(.search(text, below: place))
        let style = house.noteStyle(context)
        let path = "/search?q=" + encodePercent(text)
        var values: [String: Any] = [
            "csrf": try context.requireSession().formToken, "back": path, "path": path, "text": state.text,
            "hasText": !state.text.isEmpty, "isAsking": state.isAsking, "isTrouble": false,
            "people": state.people.map { PersonFields(person: $0, style: style, isOwn: $0.key == state.own) },
            "hasPeople": !state.people.isEmpty && place == nil,
            "notesHTML": notesHTML(state.notes, style), "hasNotes": !state.notes.isEmpty,
            "isEmpty": state.people.isEmpty && state.notes.isEmpty, "hasNext": state.next != nil,
        ]
        values["next"] = state.next?.mark
        if case .failed(let trouble) = state.phase {
            values["isTrouble"] = true
            values["trouble"] = trouble.sentence
        }
        if isFragment(request) { return house.fragment(house.templates.render("search-results", values)) }
        values["resultsHTML"] = house.templates.render("search-results", values)
        return try await house.page(
            title: state.text.isEmpty ? "Search" : "Search: \(state.text)", at: .search,
            house.templates.render("search", values), request: request, context: context)
    }
}

/// Where a pasted NIP-19 name or NIP-21 address leads.
private func pastedPath(_ text: String) -> String? {
    let word = text.filter { !$0.isWhitespace }
    let name = word.lowercased().hasPrefix("nostr:") ? String(word.dropFirst(6)) : word
    // What does not decode is searched for.
    switch try? NostrEntity(name) {
    case .npub, .nprofile: return "/people/" + name
    case .note, .nevent: return "/note/" + name
    default:
        return name.hasPrefix("#") && name.count > 1 && name == text
            ? "/tags/" + encodePercent(String(name.dropFirst())) : nil
    }
}
