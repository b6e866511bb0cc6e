internal import NostrCore
internal import ViewModels

/// What can be trending, each on a page of its own.
///
/// - Parameter current: which of them is shown; `nil` for notes.
func trendingTabs(_ current: TrendsPage.Sort?) -> HTML {
    """
    <nav class="tabs" aria-label="What is trending"><a href="/trending"\(currentPage(current == nil))>Notes</a><a href="/trending/topics"\(currentPage(current == .topics))>Topics</a><a href="/trending/people"\(currentPage(current == .people))>People</a></nav>
    """
}

/// The main column of trending topics or people.
func trendsView(_ page: TrendsPage, own: PublicKey, _ style: NoteStyle) -> HTML {
    """
    <div class="head"><h1>Trending</h1></div>
    \(trendingTabs(page.sort))
    <p class="list-lead">\(page.lead)</p>
    \(if: !page.spans.isEmpty || !page.counters.isEmpty, choices(page))
    \(trends(page, own: own, style))
    """
}

private func choices(_ page: TrendsPage) -> HTML {
    let path = { trendsPath(page.sort, $0) }
    return """
        <nav class="trending" aria-label="What is counted">\(trendingRow("Within", page.spans, path))\(trendingRow("Counted where", page.counters, path))</nav>
        """
}

private func trends(_ page: TrendsPage, own: PublicKey, _ style: NoteStyle) -> HTML {
    switch page.sort {
    case .topics where !page.topics.isEmpty:
        "<ol class=\"rows trends\">\(each: page.topics, topicRow)</ol>"
    case .people where !page.people.isEmpty:
        "<ul class=\"people-list\">\(each: page.people, { personRow($0, isOwn: $0.key == own, style) })</ul>"
    default:
        emptyState(
            title: "Nothing is trending yet",
            page.isCountedHere
                ? "<p>What your relays send is counted here while Linnet runs.</p>"
                : "<p>The server gave nothing that can be shown.</p>")
    }
}

private func topicRow(_ topic: TrendsPage.Topic) -> HTML {
    let path: Path = "/tags/\(topic.name)"
    return """
        <li class="entry"><span class="row-words"><a class="name" href="\(path)" dir="auto">#\(topic.name)</a>\(if: !topic.words.isEmpty, "<span class=\"hint\">\(topic.words)</span>")</span></li>
        """
}
