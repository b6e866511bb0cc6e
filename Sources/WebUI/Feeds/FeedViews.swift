internal import NostrClient
internal import NostrCore
internal import ViewModels

/// A feed as its page shows it.
struct FeedView {
    let feed: Feed
    let path: Path
    /// Where it belongs to; `nil` for a feed that stands alone.
    let back: Path?
    /// How many of its relays show notes only to people they know, and wait for an answer.
    let asking: Int
    /// The choices of trending notes, on that page.
    let trending: TrendingPage?
    let chooser: HTML
}

/// The main column of a feed.
func feedView(_ view: FeedView, _ list: HTML) -> HTML {
    let feed = view.feed
    return """
        <div class="head">\(some: view.back, { "<a class=\"back\" href=\"\($0)\" aria-label=\"Back\">\(icon(.back))</a>" })<h1>\(feed.title)</h1><p class="waiting" id="waiting" hidden><a class="waiting-link" href="\(view.path)">\(icon(.up))<span data-words></span></a></p></div>
        \(view.chooser)
        <p class="list-lead">\(feed.lead)</p>
        \(if: view.asking > 0, "<p class=\"strip\">\(if: feed.relays.count == 1, "This relay shows its notes", else: "\(view.asking) of these relays show their notes") only to people \(if: feed.relays.count == 1, "it knows", else: "they know"). <a href=\"/relays/auth\">Answer</a></p>")
        \(some: view.trending, trendingChoices)
        \(list)
        """
}

/// The feeds to choose from: closed until it is opened, and each a button of one form.
///
/// - Parameter back: the page it stands on.
func feedChooserView(_ chooser: FeedChooser, back: Path, _ token: FormToken) -> HTML {
    """
    <details class="feeds"><summary><span>Feed</span><strong>\(chooser.current)</strong></summary>
    <div class="feeds-body">
    <form method="post" action="/feeds">\(token.field)\(each: chooser.groups, feedGroup)</form>
    <form class="feeds-written" method="post" action="/feeds">\(token.field)\(hidden("back", back.text))<div class="field"><label for="feed-written">A relay or a #topic</label><input id="feed-written" name="written" autocomplete="off" autocapitalize="none" spellcheck="false" required></div><button class="button quiet small">Open</button></form>
    <p><a href="/lists">Make and change lists</a></p>
    </div></details>
    """
}

private func feedGroup(_ group: FeedChooser.Group) -> HTML {
    """
    <fieldset>\(some: group.title, { "<legend>\($0)</legend>" })\(if: group.title == nil, "<legend class=\"visually-hidden\">Feeds</legend>")\(each: group.entries, { entry in
        "<button class=\"feeds-choice\" name=\"feed\" value=\"\(entry.choice.word)\"\(attribute: "aria-current", entry.isCurrent ? "true" : nil)>\(entry.title)</button>"
    })</fieldset>
    """
}

/// By what, how far back and by whom trending notes are counted.
private func trendingChoices(_ page: TrendingPage) -> HTML {
    """
    \(trendingTabs(nil))<nav class="trending" aria-label="What is counted">\(trendingRow("Counted by", page.measures, trendingPath))\(trendingRow("Within", page.spans, trendingPath))\(trendingRow("Counted where", page.counters, trendingPath))</nav>
    """
}

/// Choices side by side; nothing for none.
///
/// - Parameter path: the page that a choice leads to.
func trendingRow(_ label: String, _ options: [TrendingPage.Option], _ path: (TrendingChoice) -> Path) -> HTML {
    if options.isEmpty { return HTML() }
    return """
        <ul aria-label="\(label)">\(each: options, { option in
            "<li><a href=\"\(path(option.choice))\"\(attribute: "aria-current", option.isCurrent ? "true" : nil)>\(option.title)</a></li>"
        })</ul>
        """
}

/// Who of the followed wrote in the last minutes; nothing where nobody did.
func activePeopleView(_ row: ActivePeopleRow, _ style: NoteStyle) -> HTML {
    if row.people.isEmpty { return HTML() }
    return """
        <section class="online" aria-label="Online now"><h2>Online now</h2><ul>\(each: row.people, { person in
            "<li><a href=\"/people/\(person.key.hex)\">\(avatar(person, .small, style, loading: .lazyPicture))<span class=\"visually-hidden\">\(person.name)</span></a></li>"
        })</ul></section>
        """
}

/// What stands beside a feed.
func feedAside(_ source: TimelineSource) -> HTML {
    let words: HTML =
        switch source {
        case .relays:
            "Each relay decides what it shows. These notes are checked for who wrote them, and nothing else: whom you mute stays hidden, strangers do not."
        case .trending(let choice) where choice.server != nil:
            "A server chose these notes, and learns that you look. They are checked for who wrote them; whom you mute stays hidden."
        case .trending:
            "Linnet counts what your relays sent, so it knows more the longer it runs. People you mute do not count."
        case .people, .home, .author:
            "Each person's notes are read from the relays they publish on. Whom you mute stays hidden."
        case .topics, .hashtag, .listed:
            "These notes can be by anyone. They are checked for who wrote them, and whom you mute stays hidden."
        }
    return """
        <section class="side"><h2>How to read this</h2><p>\(words)</p></section>
        """
}
