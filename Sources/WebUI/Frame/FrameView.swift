internal import NostrClient
internal import NostrCore
internal import ViewModels

/// A whole page inside the frame.
///
/// - Parameter aside: what stands beside the main column; `nil` gives the main column its room.
func framedPage(_ frame: PageFrame, main: HTML, aside: HTML?) -> HTML {
    """
    <!doctype html>
    <html lang="en"\(lookAttributes(frame.look))>
    \(pageHead(frame))
    <body data-csrf="\(frame.token.word)" data-account="\(frame.account.person.key.hex)"\(attribute: "data-signer", frame.signer.map { $0.isInBrowser ? "browser" : "remote" })>
    <a class="skip" href="#main">Skip to content</a>
    <div class="frame\(if: aside == nil, " is-wide")">
    \(rail(frame))
    <main id="main" class="main" tabindex="-1">
    \(strips(frame))
    \(main)
    </main>
    \(some: aside, {
        """
        <aside class="aside" aria-label="Beside this page">
        \($0)
        </aside>
        """
    })
    </div>
    \(drawerView(frame.drawer, beside: frame.navigation, frame.token, frame.style))
    <div id="held-bar" class="held-bar" role="status" data-csrf="\(frame.token.word)">\(if: !frame.held.isEmpty, "<form method=\"post\">\(frame.token.field)\(frame.held)</form>")</div>
    <div id="note-menu" class="note-menu" role="region" aria-label="What can be done with the note" popover></div>
    <div id="say" class="visually-hidden" role="status" aria-live="polite"></div>
    <dialog id="help" class="dialog" aria-labelledby="help-title"><form method="dialog"><h2 id="help-title">Keyboard shortcuts</h2>\(shortcutList)<button class="button quiet">Close</button></form></dialog>
    </body>
    </html>
    """
}

/// The style sheets of a page, by name.
func styleSheets(_ names: [String]) -> HTML {
    "\(each: names, { "<link rel=\"stylesheet\" href=\"\(Assets.address)/\($0).css\">\n" })"
}

private func pageHead(_ frame: PageFrame) -> HTML {
    """
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <title>\(some: frame.navigation.waiting.flatMap { $0 > 0 ? $0 : nil }, { "(\($0)) " })\(frame.title) · Linnet</title>
    \(lookScheme(frame.look))
    \(lookSurroundings(frame.look))
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="manifest" href="/manifest.webmanifest">
    \(styleSheets(frame.parts.styleSheets))\(lookSheet(frame.look))
    \(each: frame.parts.importedScripts, { "<link rel=\"modulepreload\" href=\"\(Assets.address)/\($0).js\">\n" })
    \(each: frame.parts.scripts, { "<script type=\"module\" src=\"\(Assets.address)/\($0).js\"></script>\n" })
    </head>
    """
}

/// What leads everywhere, and whose account is open.
private func rail(_ frame: PageFrame) -> HTML {
    let own = frame.account.person
    return """
        <header class="rail">
        <a class="brand" href="/home">\(bird())<span>Linnet</span></a>
        \(navigationView(frame.navigation, own: own.key, canSign: frame.account.canSign))
        <div class="rail-foot">
        \(if: frame.isDemo, "<p class=\"demo-line\">Simulated network: everyone here is made up.</p>")
        <a class="connection" id="connection" href="/relays" data-connection>\(connectionView(frame.connection))</a>
        <button class="me" type="button" popovertarget="drawer">\(avatar(own, .small, frame.style, isOwn: true))<span class="me-name">\(own.name)</span></button>
        </div>
        </header>
        """
}

private func navigationView(_ navigation: Navigation, own: PublicKey, canSign: Bool) -> HTML {
    let item = { (entry: NavigationEntry, path: Path, icon: Icon, words: HTML) -> HTML in
        navigationItem(navigation.current == entry, path, icon, words)
    }
    return """
        <nav class="nav" aria-label="Main">
        \(item(.home, "/home", .home, "Home"))
        \(some: navigation.notifications, {
            navigationItem(
                navigation.current == .notifications, "/notifications", .bell, "Notifications",
                badge: badge("data-notifications", count: $0, "unread", rings: navigation.rings))
        })
        \(some: navigation.unread, {
            navigationItem(
                navigation.current == .messages, "/messages", .mail, "Messages",
                badge: badge("data-unread", count: $0, "unread"))
        })
        \(if: navigation.hasCircles, item(.circles, "/circles", .circle, "Circles"))
        \(navigationItem(navigation.current == .search, "/search", .search, "Search", isWideOnly: navigation.hasCircles))
        \(some: navigation.waiting, {
            navigationItem(
                navigation.current == .signer, "/signer", .seal, "Signer", isWideOnly: true,
                badge: badge("data-signer-badge", count: $0, "waiting"))
        })
        \(navigationItem(navigation.current == .relays, "/relays", .relays, "Relays", isWideOnly: true))
        \(navigationItem(navigation.current == .profile, "/people/\(own)", .person, "Profile", isWideOnly: true))
        \(navigationItem(navigation.current == .settings, "/settings", .settings, "Settings", isWideOnly: true))
        <button class="nav-item" type="button" popovertarget="drawer"\(if: navigation.current == .more, " aria-current=\"true\"")>\(icon(.more))<span>More</span>\(some: navigation.waiting, { "<span class=\"narrow-only\">\(badge("data-signer-badge", count: $0, "waiting in the signer"))</span>" })</button>
        \(if: canSign, "<a class=\"nav-write\" href=\"/compose\"\(currentPage(navigation.current == .compose))>\(icon(.feather))<span>Write</span></a>")
        </nav>
        """
}

private func navigationItem(
    _ isCurrent: Bool, _ path: Path, _ icon: Icon, _ words: HTML, isWideOnly: Bool = false, badge: HTML = HTML()
) -> HTML {
    """
    <a class="nav-item\(if: isWideOnly, " wide-only")" href="\(path)"\(currentPage(isCurrent))>\(WebUI.icon(icon))<span>\(words)</span>\(badge)</a>
    """
}

/// The attribute of a link to the page that is open.
func currentPage(_ isCurrent: Bool) -> HTML { isCurrent ? " aria-current=\"page\"" : HTML() }

/// A count on an entry of the navigation; hidden at 0, for a script to show.
///
/// - Parameter rings: whether a tone says that it grew.
private func badge(_ name: StaticString, count: Int, _ words: HTML, rings: Bool = false) -> HTML {
    """
    <b class="nav-badge"\(flag: name, if: true)\(flag: "data-tone", if: rings)\(flag: "hidden", if: count == 0)><i data-count>\(spoken(unread: count))</i><span class="visually-hidden"> \(words)</span></b>
    """
}

/// A count of what is unread, which is not counted further than that.
func spoken(unread count: Int) -> String { count < 100 ? String(count) : "99+" }

/// What there is to say on top of every page.
private func strips(_ frame: PageFrame) -> HTML {
    """
    \(if: frame.isDemo, "<p class=\"strip demo-strip\">Simulated network: everyone here is made up.</p>")
    \(if: frame.account.isLocked, "<p class=\"strip\" id=\"locked\">\(icon(.lock)) Your key is locked: you can read.\(sealedNotes(frame.account.sealedNotes)) <a href=\"/unlock\">Unlock to write</a></p>")
    <div id="signer-strip" role="status">\(signerStrip(frame.signer))</div>
    <p class="strip alarm" id="offline" hidden>Linnet is not answering. This page tries again by itself.</p>
    <p class="strip alarm" id="other-account" hidden>Another account is open in this browser now. <a href="/home">Go to its home</a></p>
    \(some: frame.notice, { noticeView($0, frame.token) })
    """
}

private func noticeView(_ notice: Notice, _ token: FormToken) -> HTML {
    """
    <form class="strip notice\(if: notice.isProblem, " alarm")" method="post" action="\(notice.undo?.path ?? "")"><span role="status">\(notice.sentence)</span>\(some: notice.undo, { undo in
        """
        \(token.field)\(each: undo.fields.sorted { $0.key < $1.key }, {
            "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">"
        })<button class="button quiet small">Undo</button>
        """
    })</form>
    """
}

/// How the network stands, in a dot and a few words.
func connectionView(_ connection: ConnectionItem) -> HTML {
    let (state, sentence): (HTML, HTML) =
        switch (connection.connected, connection.wanted) {
        case (1..., _):
            ("up", "\(connection.connected) of \(connection.wanted) \(connection.wanted == 1 ? "relay" : "relays")")
        case (_, 1...): ("down", "No relay answers")
        default: ("idle", "Looking for relays")
        }
    return """
        <span class="dot is-\(state)"></span><span class="connection-words">\(sentence)\(if: connection.queued > 0, " · \(connection.queued) to deliver")\(questions(connection.questions))</span>
        """
}

private func questions(_ count: Int) -> HTML {
    switch count {
    case 0: HTML()
    case 1: " · 1 asks who you are"
    default: " · \(count) ask who you are"
    }
}

/// What to tell on every page about a signer elsewhere; nothing where it answers.
func signerStrip(_ standing: SignerStanding?) -> HTML {
    guard let standing, let sentence = standing.banner else { return HTML() }
    return """
        <p class="strip">\(sentence)\(some: standing.page.flatMap { ForeignURL($0) }, {
            " <a target=\"_blank\" rel=\"noopener noreferrer\" href=\"\(url: $0)\">Open its page</a>"
        })</p>
        """
}

private func sealedNotes(_ count: Int) -> HTML {
    switch count {
    case 0: HTML()
    case 1: " A note that you wrote waits for it."
    default: " \(count) notes that you wrote wait for it."
    }
}
