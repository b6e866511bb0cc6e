internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Ending a circle: a page that says what that does and does not do, and asks for the circle's name.
struct CircleBurningController {
    let circles: CirclePages

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/circles/:id/burn") { try await page(nil, $0, $1) }
        router.post("/circles/:id/burn", use: burn)
    }

    @Sendable private func burn(_ request: Request, _ context: WebContext) async throws -> Response {
        do {
            try await circles.actions(context).burn(try circles.id(context), typed: context.form["name"])
        } catch let trouble as Trouble {
            return try await page(trouble, request, context)
        }
        try context.requireSession().browser.leave(Notice(sentence: CircleWords.ending))
        return withoutCache(redirect(to: "/circles"))
    }

    private func page(_ trouble: Trouble?, _ request: Request, _ context: WebContext) async throws -> Response {
        let state = try await circles.state(context)
        let status: HTTPResponse.Status = trouble == nil ? .ok : .unprocessableContent
        return try await circles.page(state, at: .settings, request, context, status: status) { item, head in
            circleBurningView(
                state.members.filter { !$0.isOwn }, item, head: head, problem: trouble?.sentence,
                try context.requireSession().formToken)
        }
    }
}

/// An answer after which the browser has no pictures of a circle any more.
func withoutCache(_ response: Response) -> Response {
    var response = response
    if let name = HTTPField.Name("Clear-Site-Data") { response.headers[name] = "\"cache\"" }
    return response
}

/// What ending a circle does and does not do.
///
/// - Parameter others: everybody in it but the account.
private func circleBurningView(
    _ others: [CircleMemberItem], _ item: CircleItem, head: HTML, problem: String?, _ token: FormToken
) -> HTML {
    """
    <div class="talk">
    \(head)
    <div class="circle-page">
    \(problemPlace(problem))
    \(if: item.isOver, """
        <section aria-labelledby="burn"><h2 id="burn">It is ending already</h2><p>There is nothing more to do.</p><p><a class="button quiet small" href="/circles">Back to the circles</a></p></section>
        """, else: burningSection(others, item, token))
    </div>
    </div>
    """
}

private func burningSection(_ others: [CircleMemberItem], _ item: CircleItem, _ token: FormToken) -> HTML {
    let path: Path = "/circles/\(item.word)"
    let (title, act, words): (HTML, HTML, HTML) =
        switch (others.isEmpty, item.isAdmin) {
        case (true, _): ("Wipe this circle", "Wipe it", wipingAlone)
        case (false, true): ("End this circle for everybody", "End it for everybody", endingForAll(others))
        case (false, false): ("Leave and wipe this circle", "Leave and wipe", leaving)
        }
    return """
        <section class="burn" aria-labelledby="burn"><h2 id="burn">\(title)</h2>
        \(words)
        <p>What others saved stays with them. Relays may keep sealed events, which they cannot read.</p>
        \(if: !others.isEmpty && item.isAdmin, "<p>It is wiped here as soon as a relay has the change that removes everybody else; until then the list shows it as being ended.</p>")
        <form method="post" action="\(path)/burn" autocomplete="off">\(token.field)<div class="field"><label for="burn-name">To go on, type the name of the circle: <b dir="auto">\(item.name)</b></label><input id="burn-name" name="name" required autocomplete="off" autocapitalize="off" spellcheck="false"></div><p><button class="button danger-button small">\(act)</button> <a class="button quiet small" href="\(path)/settings">No, go back</a></p></form></section>
        """
}

private let wipingAlone: HTML =
    "<p>Nobody else is in it. This wipes it from this machine: what was said, pictures, places, trails and keys. It cannot be undone.</p>"

private let leaving: HTML = """
    <p>This asks the others to let you go and wipes the circle from this machine at once: what was said, pictures, places and trails. It cannot be undone. The circle goes on without you: only an admin can end it for everybody.</p><p>Its name and the keys to ask again stay here until somebody else’s program has let you go.</p>
    """

private func endingForAll(_ others: [CircleMemberItem]) -> HTML {
    let admins = others.filter(\.isAdmin).map(\.person)
    return """
        <p>This removes \(CircleWords.removing(others.count)) from the circle and then wipes it from this machine: what was said, pictures, places, trails and keys. It cannot be undone.</p>\(if: !admins.isEmpty, "<p><b dir=\"auto\">\(peopleInARow(admins))</b> \(CircleWords.otherAdmins(admins.count)).</p>")
        """
}
