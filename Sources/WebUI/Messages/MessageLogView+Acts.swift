internal import NostrCore
internal import ViewModels

/// What is done with a message; the form around the list carries the token.
extension MessageLogView {
    func reactionsView(_ message: MessageItem) -> HTML {
        guard !message.reactions.isEmpty else { return HTML() }
        return "<p class=\"talk-reactions\">\(each: message.reactions, { reactionView($0, to: message) })</p>"
    }

    private func reactionView(_ reaction: ReactionItem, to message: MessageItem) -> HTML {
        let words: HTML = """
            <span aria-hidden="true">\(emoji(reaction))</span>\(if: reaction.count > 1, "<span aria-hidden=\"true\">\(reaction.count)</span>")
            """
        if !style.canSign {
            return """
                <span class="reaction" role="img" aria-label="\(reaction.shown) by \(reaction.names)" title="\(reaction.names)">\(words)</span>
                """
        }
        if reaction.isOwn {
            return """
                <button formaction="\(address("unreact", of: message))" class="reaction is-own" name="content" value="\(reaction.content)" aria-label="\(reaction.shown) by \(reaction.names). Take yours back" title="\(reaction.names)">\(words)</button>
                """
        }
        return """
            <button formaction="\(address("react", of: message))" class="reaction" name="content" value="\(reaction.content)" aria-label="\(reaction.shown) by \(reaction.names). Add yours" title="\(reaction.names)">\(words)</button>
            """
    }

    /// The emoji, or the picture of a custom one by the rules of all pictures: nothing for a stranger who asks to write,
    /// and what the account only joined in by the rule for those who brought it.
    private func emoji(_ reaction: ReactionItem) -> HTML {
        guard let picture = reaction.picture else { return "\(reaction.shown)" }
        return emojiView(picture, style) { address in
            if isRequest { return false }
            if reaction.isOwn, ownPictures.contains(address) { return style.loadsOwn(address) }
            return reaction.people.contains { style.loads(address, of: $0, own: false) }
        }
    }

    func menuView(_ message: MessageItem) -> HTML {
        let hasReceipts = message.isOwn && message.delivery != nil && !isCircle
        return """
            <details class="talk-menu"><summary aria-label="More about: \(message.excerpt)">\(icon(.more))</summary><div class="talk-acts">\(if: message.body != .deleted, answerActs(message))\(if: hasReceipts, """
                <a class="talk-act" data-receipts-of href="\(path)/\(message.id.hex)">\(icon(.check))Where it is</a>
                """)\(deletionView(message))</div></details>
            """
    }

    private func answerActs(_ message: MessageItem) -> HTML {
        let answer: Path = "\(path)?reply=\(message.id)#text"
        return """
            <p class="talk-offered">\(each: ReactionItem.offered, { content in
                """
                <button formaction="\(address("react", of: message))" class="react" name="content" value="\(content)" aria-label="React \(content)">\(content)</button>
                """
            })</p><a class="talk-act" href="\(address("react", of: message))">\(icon(.heart))Another emoji…</a><a class="talk-act" data-reply-to href="\(answer)">\(icon(.reply))Reply</a>
            """
    }

    private func deletionView(_ message: MessageItem) -> HTML {
        if isCircle, !message.isOwn || message.body == .deleted { return HTML() }
        return """
            <details class="talk-delete"><summary class="talk-act">\(icon(.trash))Delete…</summary>\(if: !isCircle, """
                <button formaction="\(address("delete", of: message))" class="button quiet small">My copy only</button>
                """)\(if: message.isOwn, """
                <button formaction="\(address("delete-everywhere", of: message))" class="button quiet small">Ask everyone to delete it</button>
                """)</details>
            """
    }

    /// Where an act on a message is posted to.
    private func address(_ act: String, of message: MessageItem) -> Path { "\(path)/\(message.id)/\(act)" }
}
