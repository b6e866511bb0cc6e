public import NostrCore
internal import NostrNIPs

/// A part of an article, ready to be drawn; nothing in it can run.
public indirect enum ArticleBlock: Hashable, Sendable {
    /// A heading, from 1 to 6; 1 stands right under the title.
    case heading(level: Int, [ArticleSpan])
    /// Words.
    case paragraph([ArticleSpan])
    /// Text as it is.
    case code(String, language: String)
    /// What somebody else said.
    case quote([ArticleBlock])
    /// Things one after the other; `start` is the number of the first where they are numbered.
    case list([[ArticleBlock]], start: Int?)
    /// A line across the page.
    case rule
}

/// A part of a line of an article.
public indirect enum ArticleSpan: Hashable, Sendable {
    /// Words, and the links, people and notes among them.
    case words([ContentPart])
    /// Text as it is.
    case code(String)
    /// Emphasis.
    case emphasis([ArticleSpan])
    /// Strong emphasis.
    case strong([ArticleSpan])
    /// What was struck out.
    case struck([ArticleSpan])
    /// Words that lead somewhere.
    case link([ArticleSpan], ArticleTarget)
    /// A picture elsewhere, to be shown where settings allow it.
    case image(alt: String, address: String)
    /// A new line.
    case lineBreak
}

/// Where a link of an article leads.
public enum ArticleTarget: Hashable, Sendable {
    /// A web address, `http` or `https` only.
    case web(String)
    /// A person.
    case person(PublicKey)
    /// A note.
    case note(EventID)
    /// Another article, by its code.
    case article(String)
}

/// Turns the Markdown of an article into what a page draws.
struct ArticleReader {
    let tags: [Tag]
    /// What to call a person who is mentioned; `nil` for one who is not known.
    let name: (PublicKey) -> String?

    func blocks(_ blocks: [MarkdownDocument.Block]) -> [ArticleBlock] { blocks.map(block) }

    private func block(_ block: MarkdownDocument.Block) -> ArticleBlock {
        switch block {
        case .heading(let level, let spans): .heading(level: level, self.spans(spans))
        case .paragraph(let spans): .paragraph(self.spans(spans))
        case .code(let text, let language): .code(text, language: oneLine(language, limit: 40))
        case .quote(let inner): .quote(blocks(inner))
        case .list(let items, let start): .list(items.map(blocks), start: start)
        case .rule: .rule
        }
    }

    private func spans(_ spans: [MarkdownDocument.Span]) -> [ArticleSpan] { spans.map(span) }

    private func span(_ span: MarkdownDocument.Span) -> ArticleSpan {
        switch span {
        case .text(let text): .words(contentParts(of: text, tags: text.contains(":") ? tags : [], name: name))
        case .code(let text): .code(text)
        case .emphasis(let inner): .emphasis(spans(inner))
        case .strong(let inner): .strong(spans(inner))
        case .struck(let inner): .struck(spans(inner))
        case .link(let inner, let address): link(inner, address)
        case .image(let alt, let address): image(alt, address)
        case .lineBreak: .lineBreak
        }
    }

    private func link(_ inner: [MarkdownDocument.Span], _ address: String) -> ArticleSpan {
        // A link inside a link is none: its words stay.
        let words = ArticleSpan.words([.text(oneLine(inner.map(\.plainText).joined(), limit: 1000))])
        if inner.count == 1, case .image(let alt, let picture) = inner.first { return image(alt, picture) }
        return target(address).map { ArticleSpan.link([words], $0) } ?? words
    }

    private func image(_ alt: String, _ address: String) -> ArticleSpan {
        let alt = oneLine(alt, limit: 300)
        guard let address = webAddress(address) else { return .words([.text(alt)]) }
        return .image(alt: alt, address: address)
    }

    private func target(_ address: String) -> ArticleTarget? {
        if let address = webAddress(address) { return .web(address) }
        let code = address.lowercased().hasPrefix("nostr:") ? String(address.dropFirst(6)) : address
        // What does not decode leads nowhere.
        switch try? NostrEntity(code) {
        case .npub(let key): return .person(key)
        case .nprofile(let pointer): return .person(pointer.key)
        case .note(let id): return .note(id)
        case .nevent(let pointer): return .note(pointer.id)
        case .naddr(let pointer): return articleCode(pointer).map(ArticleTarget.article)
        default: return nil
        }
    }
}
