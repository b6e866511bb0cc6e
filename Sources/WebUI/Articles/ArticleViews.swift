internal import NostrCore
internal import ViewModels

/// An article's page.
struct ArticleView {
    /// The article, that nobody has it, or why it cannot be read.
    let page: Result<ArticlePage?, Trouble>
    let path: Path
    let token: FormToken
    let style: NoteStyle

    /// The article; `nil` where there is none to show.
    var article: ArticlePage? {
        if case .success(let page) = page { page } else { nil }
    }
    var isMissing: Bool { article == nil }
    fileprivate var trouble: Trouble? {
        if case .failure(let trouble) = page { trouble } else { nil }
    }
    /// The page as it is shown now, to come back to.
    fileprivate var here: Path { article?.thread.isUnveiled == true ? path.with("show", "1") : path }
}

/// The main column of an article's page.
func articleView(_ view: ArticleView) -> HTML {
    """
    <div class="head"><a class="back" href="/home" data-back aria-label="Back">\(icon(.back))</a>\(if: view.article?.article == nil, "<h1>Article</h1>", else: "<p class=\"head-title\">Article</p>")</div>
    \(some: view.trouble, { troubleState($0.sentence, retry: view.path) })
    \(if: view.trouble == nil && view.article == nil, missingArticle)
    \(some: view.article, { shownArticle($0, view) })
    """
}

private let missingArticle = emptyState(
    title: "Article not found", isWaiting: true,
    "<p>None of the relays that were asked has it. It may have been deleted.</p>")

private func shownArticle(_ page: ArticlePage, _ view: ArticleView) -> HTML {
    """
    \(if: page.thread.isUnveiled, unveiledLine("What you muted is shown here.", back: view.path))
    \(some: page.thread.hiddenFocus, { hiddenNoteView($0, at: view.path.with("show", "1")) })
    <form class="feed thread" method="post" action="\(view.path)" data-thread="\(page.id.hex)"\(flag: "data-loading", if: page.thread.isLoading)>
    \(noDefaultButton)\(view.token.field)\(hidden("back", view.here.text))
    \(some: page.article, { article in "\(some: page.note, { longText(page, article, $0, view.style) })" })
    \(comments(page, view))
    </form>
    """
}

/// The article itself, with what can be done with it.
private func longText(
    _ page: ArticlePage, _ article: ArticleItem, _ note: NoteItem, _ style: NoteStyle
) -> HTML {
    let author: Path = "/people/\(note.author.key)"
    let markup = ArticleMarkup(author: note.author, isOwn: note.isOwn, style: style)
    let warning = note.warning
    let body: HTML = "<div class=\"long-text\" dir=\"auto\">\(markup.blocks(page.blocks))</div>"
    return """
        <article class="article-page" data-id="\(page.id.hex)">
        <header class="article-head"><h1 dir="auto">\(article.title)</h1>\(if: !article.summary.isEmpty, "<p class=\"article-summary\" dir=\"auto\">\(article.summary)</p>")
        <p class="article-by">\(avatar(note.author, .small, style, isOwn: note.isOwn))<a class="name" href="\(author)">\(note.author.name)</a><span>\(articleFacts(article, style))</span></p></header>
        \(some: article.image, { markup.picture($0, alt: "", isWide: true) })
        \(some: warning, { "<details class=\"warned\"><summary>Content warning\(if: !$0.isEmpty, ": \($0)")</summary>\(body)</details>" })\(if: warning == nil, body)
        \(if: !article.topics.isEmpty, "<p class=\"article-topics\">\(each: article.topics, topicLink)</p>")
        <footer class="note-acts">\(if: style.canSign, articleActs(note, style))</footer>
        </article>
        """
}

private func topicLink(_ topic: String) -> HTML {
    let path: Path = "/tags/\(topic)"
    return "<a class=\"tag\" href=\"\(path)\">#\(topic)</a> "
}

/// When it was published, how long it takes to read, and whether it is finished.
private func articleFacts(_ article: ArticleItem, _ style: NoteStyle) -> HTML {
    let words = ArticleWords.minutes(article.minutes)
    return """
        <time datetime="\(utc(article.publishedAt))">\(spoken(article.publishedAt, now: style.now))</time>\(some: article.changedAt, { " · changed <time datetime=\"\(utc($0))\">\(spoken($0, now: style.now))</time>" }) · \(words)\(if: article.isDraft, " · <span class=\"chip\">Draft</span>")
        """
}

private func articleActs(_ note: NoteItem, _ style: NoteStyle) -> HTML {
    let id = note.id
    let (like, repost, menu): (Path, Path, Path) = ("/note/\(id)/like", "/note/\(id)/repost", "/note/\(id)/menu")
    let counts = note.counts
    return """
        <button class="act act-repost" data-key="t" name="off" value="\(if: note.isRepostedByMe, "1")" formaction="\(repost)" aria-pressed="\(truth(note.isRepostedByMe))" aria-label="Repost">\(icon(.repost))<span>\(if: counts.reposts > 0, "\(spoken(count: counts.reposts))")</span></button><button class="act act-like" data-key="l" name="off" value="\(if: note.ownReaction != nil, "1")" formaction="\(like)" aria-pressed="\(truth(note.ownReaction != nil))" aria-label="Like">\(icon(.heart))<span>\(if: counts.reactions > 0, "\(spoken(count: counts.reactions))")</span></button>\(if: style.hasMenus, "<a class=\"act act-more\" href=\"\(menu)\" aria-label=\"More\">\(icon(.more))</a>")
        """
}

private func comments(_ page: ArticlePage, _ view: ArticleView) -> HTML {
    let rows = page.thread.replyRows
    let write: Path = "/compose?reply=\(page.id)&back=\(view.path)"
    return """
        <section aria-labelledby="comments-title"><h2 id="comments-title" class="comments-title">Comments</h2>
        \(if: view.style.canSign && page.note != nil, "<p class=\"answer-bar\"><a class=\"answer-link\" href=\"\(write)\">Write a comment…</a></p>")
        \(if: !page.thread.isStart, "<p class=\"strip\"><a href=\"\(view.path)\">Back to the first comments</a></p>")
        <div class="replies">
        \(threadRows(rows, at: view.path, view.style))
        \(some: page.thread.next, { moreAnswers(view.here, after: $0) })
        </div>
        \(if: page.thread.isLoading, "<p class=\"feed-end\" data-loading-line>Relays are still answering…</p>")
        \(if: !page.thread.isLoading && rows.isEmpty, "<p class=\"feed-end\">No comments so far.</p>")
        </section>
        """
}

/// What stands beside an article: who wrote it.
private func aboutAuthor(_ note: NoteItem) -> HTML {
    let author = note.author
    guard !author.about.isEmpty else { return HTML() }
    return """
        <p class="note-text is-long" dir="auto">\(richText(author.aboutParts, drawsMedia: false))</p>
        """
}

func articleAside(_ note: NoteItem, _ style: NoteStyle) -> HTML {
    let path: Path = "/people/\(note.author.key)"
    return """
        <section class="side side-person"><a class="avatar" href="\(path)" tabindex="-1" aria-hidden="true">\(portrait(note.author, side: 56, style, isOwn: note.isOwn))</a><h2><a href="\(path)">\(note.author.name)</a></h2>\(aboutAuthor(note))</section>
        """
}
