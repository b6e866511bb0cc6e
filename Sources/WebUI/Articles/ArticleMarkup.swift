internal import NostrClient
internal import NostrCore
internal import ViewModels

/// The text of an article as HTML; pictures only as settings load them.
struct ArticleMarkup {
    let author: PersonItem
    let isOwn: Bool
    let style: NoteStyle

    func blocks(_ blocks: [ArticleBlock]) -> HTML { "\(each: blocks, block)" }

    private func block(_ block: ArticleBlock) -> HTML {
        switch block {
        case .heading(let level, let spans): heading(level, spans)
        case .paragraph(let spans): paragraph(spans)
        case .code(let text, _): "<pre tabindex=\"0\"><code>\(text)</code></pre>"
        case .quote(let inner): "<blockquote>\(blocks(inner))</blockquote>"
        case .list(let items, .none): "<ul>\(each: items, item)</ul>"
        case .list(let items, .some(let start)): "<ol start=\"\(start)\">\(each: items, item)</ol>"
        case .rule: "<hr>"
        }
    }

    /// The title is the page's first heading, so those of the text stand below it.
    private func heading(_ level: Int, _ spans: [ArticleSpan]) -> HTML {
        let words = self.spans(spans)
        return switch level {
        case ...1: "<h2>\(words)</h2>"
        case 2: "<h3>\(words)</h3>"
        case 3: "<h4>\(words)</h4>"
        case 4: "<h5>\(words)</h5>"
        default: "<h6>\(words)</h6>"
        }
    }

    /// A picture alone stands as one; a paragraph holds no figure.
    private func paragraph(_ spans: [ArticleSpan]) -> HTML {
        if spans.count == 1, case .image(let alt, let address) = spans.first { return picture(address, alt: alt) }
        return "<p>\(self.spans(spans))</p>"
    }

    // Things of one paragraph each stand close together.
    private func item(_ inner: [ArticleBlock]) -> HTML {
        if case .paragraph(let spans) = inner.first {
            return "<li>\(self.spans(spans))\(blocks(Array(inner.dropFirst())))</li>"
        }
        return "<li>\(blocks(inner))</li>"
    }

    private func spans(_ spans: [ArticleSpan]) -> HTML { "\(each: spans, span)" }

    private func span(_ span: ArticleSpan) -> HTML {
        switch span {
        case .words(let parts): richText(parts, drawsMedia: false)
        case .code(let text): "<code>\(text)</code>"
        case .emphasis(let inner): "<em>\(spans(inner))</em>"
        case .strong(let inner): "<strong>\(spans(inner))</strong>"
        case .struck(let inner): "<del>\(spans(inner))</del>"
        case .link(let inner, let target): link(spans(inner), target)
        case .image(let alt, let address): inlinePicture(address, alt: alt)
        case .lineBreak: "<br>"
        }
    }

    private func link(_ words: HTML, _ target: ArticleTarget) -> HTML {
        switch target {
        case .web(let address):
            guard let url = ForeignURL(address) else { return words }
            return "<a href=\"\(url: url)\" rel=\"noopener nofollow ugc\" target=\"_blank\">\(words)</a>"
        case .person(let key):
            let path: Path = "/people/\(key)"
            return "<a class=\"mention\" href=\"\(path)\">\(words)</a>"
        case .note(let id):
            let path: Path = "/note/\(id)"
            return "<a class=\"mention\" href=\"\(path)\">\(words)</a>"
        case .article(let code):
            let path: Path = "/article/\(code)"
            return "<a class=\"mention\" href=\"\(path)\">\(words)</a>"
        }
    }

    /// A picture that stands alone; where settings do not load it, a link to it with what it shows.
    func picture(_ address: String, alt: String, isWide: Bool = false) -> HTML {
        guard style.loads(address, of: author, own: isOwn), let url = ForeignURL(address) else {
            return isWide ? HTML() : "<p>\(linkTo(address, alt: alt))</p>"
        }
        return """
            <figure\(if: isWide, " class=\"is-wide\"")><img loading="lazy" decoding="async" src="\(style.source(url, .wide))" alt="\(alt)">\(if: !alt.isEmpty, "<figcaption aria-hidden=\"true\">\(alt)</figcaption>")</figure>
            """
    }

    private func inlinePicture(_ address: String, alt: String) -> HTML {
        guard style.loads(address, of: author, own: isOwn), let url = ForeignURL(address) else {
            return linkTo(address, alt: alt)
        }
        return "<img loading=\"lazy\" decoding=\"async\" src=\"\(style.source(url, .wide))\" alt=\"\(alt)\">"
    }

    private func linkTo(_ address: String, alt: String) -> HTML {
        "\(if: !alt.isEmpty, "\(alt): ")\(linkOut(address))"
    }
}
