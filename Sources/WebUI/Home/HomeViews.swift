internal import ViewModels

/// The main column of Home.
///
/// - Parameters:
///   - chooser: the feeds to choose from.
///   - online: who is there.
///   - isTop: whether the list begins with the newest notes.
func homeView(_ list: HTML, _ chooser: HTML, _ online: HTML, isTop: Bool) -> HTML {
    """
    <div class="head"><h1>Home</h1><p class="waiting" id="waiting" hidden><a class="waiting-link" href="/home">\(icon(.up))<span data-words></span></a></p><a class="head-connection" href="/relays" aria-label="Relays"><span class="dot" data-dot></span></a></div>
    \(chooser)
    \(online)
    \(if: !isTop, "<p class=\"strip\"><a href=\"/home\">Back to the newest notes</a></p>")
    \(list)
    """
}

/// What stands beside timelines: a search, and where notes come from.
///
/// - Parameter completeness: how much of what relays hold is here, as a line.
func homeAside(_ connection: ConnectionItem, completeness: HTML, canSign: Bool) -> HTML {
    """
    <form class="side-search" action="/search" role="search"><label class="visually-hidden" for="side-q">Search people and notes</label>\(icon(.search))<input id="side-q" name="q" type="search" placeholder="Search people and notes" autocomplete="off"></form>
    <section class="side"><h2>Where this comes from</h2><p>Each person's notes are read from the relays they publish on. No single server decides what you see.</p><p class="side-state" data-connection>\(connectionView(connection))</p>\(completeness)<p><a href="/relays">See what each relay gives you</a></p></section>
    <section class="side keys"><h2>By keyboard</h2><p><kbd>j</kbd> <kbd>k</kbd> next, previous · \(if: canSign, "<kbd>l</kbd> like · <kbd>r</kbd> reply · <kbd>n</kbd> write · ")<kbd>/</kbd> search · <a href="/shortcuts" data-help><kbd>?</kbd> all</a></p></section>
    """
}
