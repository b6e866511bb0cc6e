internal import NostrCore
internal import ViewModels

/// A conversation around one note.
struct ThreadView {
    let id: EventID
    /// The conversation, or why it cannot be read.
    let page: Result<ThreadPage, Trouble>
    let token: FormToken
    let style: NoteStyle

    fileprivate var path: Path { "/note/\(id)" }
    /// The conversation; `nil` when it cannot be read.
    var thread: ThreadPage? {
        if case .success(let thread) = page { thread } else { nil }
    }
    /// Whether nobody has the note; one that cannot be read, or is muted, is there.
    var isMissing: Bool { thread?.focus == nil && thread?.hiddenFocus == nil && thread?.isLoading != true }
    fileprivate var trouble: Trouble? {
        if case .failure(let trouble) = page { trouble } else { nil }
    }
}

/// The main column of a conversation.
func threadView(_ view: ThreadView) -> HTML {
    let isLoading = view.thread?.isLoading ?? false
    let focus = view.thread?.focus
    let hiddenFocus = view.thread?.hiddenFocus
    let replies = view.thread?.replyRows ?? []
    let shown = view.path.with("show", "1")
    let here = view.thread?.isUnveiled == true ? shown : view.path
    return """
        <div class="head"><a class="back" href="/home" data-back aria-label="Back">\(icon(.back))</a><h1>Conversation</h1></div>
        \(some: view.trouble, { troubleState($0.sentence, retry: view.path) })
        <form class="feed thread" method="post" action="\(view.path)" data-thread="\(view.id.hex)"\(flag: "data-loading", if: isLoading)>
        \(noDefaultButton)\(view.token.field)\(hidden("back", here.text))
        \(if: view.thread?.isUnveiled == true, unveiledLine("What you muted is shown here.", back: view.path))
        <div class="ancestors">
        \(threadRows(view.thread?.ancestorRows ?? [], at: view.path, view.style))
        </div>
        \(some: focus, { focusView($0, view) })
        \(some: hiddenFocus, { hiddenNoteView($0, at: shown) })
        \(if: view.trouble == nil && focus == nil && hiddenFocus == nil, missingNote(isLoading: isLoading))
        \(some: view.style.canSign ? focus : nil, { answerBar($0, view) })
        \(if: view.thread?.isStart == false, "<p class=\"strip\"><a href=\"\(view.path)\">Back to the first replies</a></p>")
        <div class="replies">
        \(threadRows(replies, at: view.path, view.style))
        \(some: view.thread?.next, { moreAnswers(here, after: $0) })
        </div>
        \(if: isLoading, "<p class=\"feed-end\" data-loading-line>Relays are still answering…</p>")
        \(if: !isLoading && replies.isEmpty && focus != nil, "<p class=\"feed-end\">No replies so far.</p>")
        </form>
        """
}

/// Notes of a conversation, and what stands in the place of those that are muted.
///
/// One muted note alone is shown on a page of its own, so that others on this one stay as they are.
func threadRows(_ rows: [ThreadRow], at page: Path, _ style: NoteStyle) -> HTML {
    let draw = { (row: ThreadRow) -> HTML in
        switch row {
        case .note(let note, let depth):
            return NoteMarkup(note: note, style: style, depth: depth, isInThread: true).article()
        case .hidden(let hidden, let depth):
            let path: Path = hidden.count == 1 ? "/note/\(hidden.id)?show=1" : page.with("show", "1")
            return hiddenNoteView(hidden, at: path, depth: depth)
        }
    }
    return "\(each: rows, draw)"
}

/// The link to the answers that follow, which a script follows in place.
func moreAnswers(_ path: Path, after reply: EventID) -> HTML {
    let next = path.with("after", reply.hex)
    return """
        <p class="more"><a class="button quiet" data-more-answers href="\(next)">More replies</a></p>
        """
}

private func focusView(_ focus: NoteItem, _ view: ThreadView) -> HTML {
    """
    \(NoteMarkup(note: focus, style: view.style, isFocus: true).article())
    \(appsView(view.thread?.apps ?? []))
    \(reportsView(view.thread?.reports ?? []))
    \(reactionsView(view.thread?.reactions ?? [], to: focus, view.style))
    \(some: focus.zaps, zapsView)
    \(if: focus.isOwn, ownNote(view))
    """
}

private func ownNote(_ view: ThreadView) -> HTML {
    let delete: Path = "\(view.path)/delete"
    return """
        <section class="receipts" id="receipts" aria-labelledby="receipts-title" data-receipts="\(view.id.hex)">
        \(receiptsView(view.thread?.receipts ?? []))
        <p class="danger"><a class="button quiet small" href="\(delete)">Delete note…</a></p>
        </section>
        """
}

private func missingNote(isLoading: Bool) -> HTML {
    isLoading
        ? emptyState(
            title: "Looking for this note", isLooking: true, isWaiting: true,
            "<p>Relays that may have it are being asked.</p>")
        : emptyState(
            title: "Note not found", isWaiting: true,
            "<p>None of the relays that were asked has it. It may have been deleted.</p>")
}

private func answerBar(_ focus: NoteItem, _ view: ThreadView) -> HTML {
    let path: Path = "/compose?reply=\(view.id)&back=\(view.path)"
    return """
        <p class="answer-bar"><a class="answer-link" href="\(path)">Reply to \(focus.author.name)…</a></p>
        """
}

/// Where a note was offered, and what relays said.
func receiptsView(_ receipts: [ReceiptItem]) -> HTML {
    let accepted = receipts.count { if case .accepted = $0.standing { true } else { false } }
    return """
        <h2 id="receipts-title">Receipts</h2>
        \(if: receipts.isEmpty, "<p class=\"receipts-sum\">No receipts: this note was not published from here.</p>", else: """
            <p class="receipts-sum">Accepted by \(accepted) of \(receipts.count) \(receipts.count == 1 ? "relay" : "relays").</p>
            <ul class="receipt-list">
            \(each: receipts, { receiptLine($0) })
            </ul>
            """)
        """
}

/// What one relay said about what was sent to it, and why it went there where that is not said otherwise.
func receiptLine(_ receipt: ReceiptItem, isPurposeShown: Bool = true) -> HTML {
    let (state, words): (HTML, HTML) =
        switch receipt.standing {
        case .accepted: ("accepted", "Accepted")
        case .waiting: ("waiting", "Will be offered again")
        case .waitingForPerson: ("waiting", "<a href=\"/relays/auth\">Needs your approval</a>")
        case .givenUp: ("given-up", "Given up")
        }
    return """
        <li class="receipt is-\(state)"><span class="receipt-mark" aria-hidden="true"></span><span class="receipt-relay">\(receipt.relay)</span><span class="receipt-words">\(words)\(if: isPurposeShown, " · \(receipt.purpose)")</span>\(if: !receipt.answer.isEmpty, "<span class=\"receipt-answer\">“\(receipt.answer)”</span>")</li>
        """
}

/// What stands beside a conversation: who wrote the note, and when.
func threadAside(_ focus: NoteItem, _ style: NoteStyle) -> HTML {
    let author = focus.author
    let path: Path = "/people/\(author.key)"
    return """
        <section class="side side-person"><a class="avatar" href="\(path)" tabindex="-1" aria-hidden="true">\(portrait(author, side: 56, style, isOwn: focus.isOwn))</a><h2><a href="\(path)">\(author.name)</a></h2><p class="handle">\(handleView(author))</p>\(if: !author.about.isEmpty, "<p class=\"note-text is-long\" dir=\"auto\">\(richText(author.aboutParts, drawsMedia: false))</p>")</section>
        <section class="side"><h2>This note</h2><p>Signed by its author's key and checked here. Its author dates it \(fullMoment(focus.createdAt)).</p></section>
        """
}
