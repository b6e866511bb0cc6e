internal import NostrClient
internal import NostrCore
internal import ViewModels

/// An article among notes: its title, what it is about, its picture; all of it leads to its page.
func articleCard(_ article: ArticleItem, _ note: NoteItem, _ style: NoteStyle) -> HTML {
    let path: Path = article.code.map { "/article/\($0)" } ?? "/note/\(note.id)"
    let image = article.image.flatMap { style.loads($0, of: note.author, own: note.isOwn) ? ForeignURL($0) : nil }
    return """
        <div class="article-card\(if: image != nil, " has-picture")">\(some: image, { "<img loading=\"lazy\" decoding=\"async\" src=\"\(style.source($0, .wide))\" alt=\"\">" })<div><h3 class="note-title" dir="auto"><a href="\(path)">\(article.title)</a></h3>\(if: !article.summary.isEmpty, "<p class=\"article-about\" dir=\"auto\">\(article.summary)</p>")<p class="hint">Article · \(ArticleWords.minutes(article.minutes))\(if: article.isDraft, " · Draft")</p></div></div>
        """
}
