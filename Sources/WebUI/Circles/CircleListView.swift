internal import NostrCore
internal import ViewModels

/// The circles, with what waits for an answer.
struct CircleList {
    let view: CirclesView
    /// The circle that is open; empty for a page that is none, `nil` where the list is the page.
    let open: String?
    /// The relays in private networks that the person allowed.
    let allowed: Set<String>
    let token: FormToken
    let style: NoteStyle
}

/// The list as a column of its own.
func circleListView(_ list: CircleList) -> HTML {
    """
    <div class="mail-head">\(if: list.open == nil, "<h1>Circles</h1>", else: "<h2><a href=\"/circles\">Circles</a></h2>")<a class="mail-act is-strong" href="/circles/new" aria-label="New circle, or join one" data-key="n">\(icon(.plus))</a></div>
    \(some: list.view.trouble, { "<p class=\"problem\" role=\"alert\">\($0.sentence) <a href=\"/circles\">Try again</a></p>" })
    <div class="mail-invitations">\(each: list.view.invitations, { invitation($0, list.token) })</div>
    <ul class="mail-rows" data-path="/circles">
    \(each: list.view.circles, { row($0, list) })
    </ul>
    <div class="mail-asked">\(each: list.view.asked, { asked($0, list) })</div>
    \(if: list.view.trouble == nil && list.view.isEmpty, """
        <div class="empty mail-empty">\(bird())<p class="empty-title">No circle yet</p><p>Make one for your family, or join one with an invitation.</p><p><a class="button small" href="/circles/new">New circle</a></p></div>
        """)
    """
}

private func row(_ item: CircleItem, _ list: CircleList) -> HTML {
    var style = list.style
    style.shown = shownPictures(item)
    let path: Path = "/circles/\(item.word)"
    let excerpt: HTML =
        item.state.map { "\($0)" } ?? "\(some: item.excerptAuthor, { "\($0): " })\(item.excerpt)"
    return """
        \(mailRow(
            path, pictures: circlePicture(item, style), title: item.name,
            moment: item.moment.map { moment($0, now: style.now) }, excerpt: excerpt,
            count: mailCount(item.unread + item.requests, "new"), isOpen: item.word == list.open))

        """
}

private func invitation(_ item: WaitingCircleItem, _ token: FormToken) -> HTML {
    let path: Path = "/circles/invitations/\(item.word)"
    if let veil = item.veil {
        return """
            <div class="mail-note"><p class="talk-veil">\(icon(.mute))<span>\(veil)</span> <a class="button quiet small" rel="nofollow" href="\(path)/shown" aria-label="Show the invitation you muted">Show</a></p></div>
            """
    }
    return """
        <form class="mail-note" method="post" action="\(path)/accept">\(token.field)<p><b>\(item.person.name)</b> invited you to <b dir="auto">\(item.name)</b>.</p><p><button class="button small">Join</button> <button class="button quiet small" formaction="\(path)/decline">No, thanks</button></p></form>
        """
}

/// An invitation whose name is muted, since its reader asked for it.
func unveiledInvitation(_ item: WaitingCircleItem, _ token: FormToken) -> HTML {
    """
    <header class="talk-head"><a class="back" href="/circles" aria-label="All circles">\(icon(.back))</a><div class="talk-title"><h1>Invitation</h1></div></header>
    <div class="mail-page">\(unveiledLine("What you muted is shown here.", back: "/circles"))\(invitation(item, token))</div>
    """
}

private func asked(_ item: WaitingCircleItem, _ list: CircleList) -> HTML {
    let path: Path = "/circles/asked/\(item.word)/withdraw"
    return """
        <form class="mail-note" method="post" action="\(path)">\(list.token.field)\(hidden("back", "/circles"))<p>You asked <b>\(item.person.name)</b> to let you into \(if: item.name.isEmpty, "a circle", else: "<b dir=\"auto\">\(item.name)</b>"). You are in when they do.</p>\(some: item.relayQuestion, { question in
            "<p>\(question)</p>\(each: item.unchosenRelays, { relayChoice($0, isAllowed: list.allowed.contains($0)) })"
        })<button class="button quiet small">Stop waiting</button></form>
        """
}

/// The picture of a circle: its own, or else two of its people.
func circlePicture(_ item: CircleItem, _ style: NoteStyle) -> HTML {
    if let picture = item.picture {
        // Its name stands beside it.
        return """
            <span class="avatar"><img src="\(picturePath(picture, in: item.word))" alt="" width="44" height="44"></span>
            """
    }
    guard item.people.count > 1 else {
        return "\(some: item.people.first, { avatar($0, .medium, style, isOwn: true, loading: .lazyPicture) })"
    }
    return groupPicture(item.people, style)
}

/// Where what is to be heard of a circle is seen.
func alertPath(_ alert: CircleAlert) -> Path {
    let circle: Path = "/circles/\(alert.word)"
    return switch alert.matter {
    case .place: "\(circle)/map"
    case .decision: "\(circle)/people"
    case .mention: circle
    case .invitation: "/circles"
    }
}

/// Where a picture lies: the address is another one for every picture.
func picturePath(_ picture: CirclePictureItem, in word: String) -> Path {
    "/circles/\(word)/pictures/\(picture.person?.hex ?? CirclePicturesController.circleWord)/\(picture.version).jpg"
}

/// Where the pictures lie that people show in a circle.
func shownPictures(_ item: CircleItem) -> [PublicKey: Path] {
    item.avatars.mapValues { picturePath($0, in: item.word) }
}

/// What stands beside the list while no circle is open.
let circlesWelcome: HTML = """
    <div class="empty mail-welcome">\(bird())<p class="empty-title">Only the people you let in</p><p>A circle is a chat and a map that its members alone can read. Relays carry it and learn neither who is in it, nor what is said, nor where anyone is.</p><p><a class="button" href="/circles/new">New circle, or join one</a></p></div>
    """

/// What was filled in to make or to join a circle.
struct NewCircle {
    var name = ""
    var invitation = ""
    /// What the others are to call the account; `nil` for its own name.
    var called: String?
}

/// Making a circle, joining one, and being invitable.
func newCircleView(_ filled: NewCircle, isInvitable: Bool, problem: String?, _ token: FormToken) -> HTML {
    """
    <header class="talk-head"><a class="back" href="/circles" aria-label="All circles">\(icon(.back))</a><div class="talk-title"><h1>New circle</h1></div></header>
    <div class="mail-page"><section class="sheet">
    \(problemPlace(problem))
    <form method="post" action="/circles/new">\(token.field)<div class="field"><label for="name">What is it called?</label><input id="name" name="name" value="\(filled.name)" maxlength="80" required autocomplete="off"></div><p class="sheet-end"><button class="button">Make the circle</button></p></form></section>
    <section class="sheet"><h2>Join a circle</h2>
    <form method="post" action="/circles/join">\(token.field)<div class="field"><label for="invitation">The code or link you were given</label><textarea id="invitation" name="invitation" rows="3" spellcheck="false" autocomplete="off" required>\(filled.invitation)</textarea></div><div class="field"><label for="called">What the others are to call you</label><input id="called" name="called" value="\(filled.called ?? "")" maxlength="64" autocomplete="off"></div><p class="hint">An admin of the circle sees that you ask, and lets you in.</p><p class="sheet-end"><button class="button">Ask to join</button></p></form></section>
    <section class="sheet"><h2>Be invited</h2>\(if: isInvitable, "<p>Others can invite you to their circles; you are asked before you are in.</p>", else: """
        <form method="post" action="/circles/invitable">\(token.field)<p>Others can only invite you once your relays hold a key package of yours. Everybody can see there that you use circles, never which.</p><p class="sheet-end"><button class="button quiet">Let others invite me</button></p></form>
        """)</section></div>
    """
}
