internal import NostrCore
internal import ViewModels

/// A note that was just written, and what can still be done about it.
struct HeldNoteBar {
    /// The name to ask after it.
    let id: String
    let standing: OutgoingNotes.Standing
    /// The work that goes on before it is signed.
    let work: WorkItem?
    /// Whether a signer elsewhere signs it, which may say nothing for long.
    let hasRemoteSigner: Bool
    /// How long its person's notes can be undone in all.
    let undo: Duration
    let now: Timestamp
}

/// The bar about a note that was just written: undo it, or see how far it came.
func heldNoteBarView(_ held: HeldNoteBar) -> HTML {
    """
    <div class="held" data-held="\(held.id)">
    \(hidden("id", held.id))
    \(standing(held))
    </div>
    """
}

private func standing(_ held: HeldNoteBar) -> HTML {
    switch held.standing {
    case .held(let due) where held.hasRemoteSigner && due <= held.now:
        // Another note of the same account is before the signer.
        return """
            <span>\(signerWords)</span><button class="button small" formaction="/compose/undo">Undo</button>
            """
    case .held(let due):
        let seconds = max(0, due.seconds - held.now.seconds)
        let whole = max(held.undo.components.seconds, seconds, 1)
        return """
            <span>Publishing in <span data-seconds>\(seconds)</span> s</span><progress class="held-meter" max="\(whole)" value="\(seconds)" aria-label="Seconds left to undo"></progress><button class="button small" formaction="/compose/undo">Undo</button><button class="button quiet small" formaction="/compose/now">Send now</button>
            """
    case .publishing:
        let path: Path = "/compose/held?id=\(held.id)"
        return "\(progressView(held))<a class=\"button quiet small\" href=\"\(path)\">See</a>"
    case .waitingForKey:
        return """
            <span>Waiting for your key: unlock it to publish.</span><a class="button small" href="/unlock">Unlock</a><button class="button quiet small" formaction="/compose/undo">Back to the text</button>
            """
    case .queued(let note): return outgoing("data-queued", note, "Waiting for a relay…")
    case .published(let note): return outgoing("data-published", note, "Published.")
    case .refused(let note): return outgoing("data-published", note, "No relay took it.")
    case .failed(let trouble):
        return """
            <span>Not published: \(trouble.sentence)</span><button class="button small" formaction="/compose/undo">Back to the text</button>\(if: trouble.canRetry, "<button class=\"button quiet small\" formaction=\"/compose/now\">Try again</button>")
            """
    }
}

private func outgoing(_ mark: HTML, _ note: EventID, _ words: HTML) -> HTML {
    let path: Path = "/note/\(note)#receipts"
    return """
        <span \(mark)="\(note.hex)">\(words)</span><a class="button small" href="\(path)">Receipts</a>
        """
}

private let signerWords: HTML = "Waiting for your signer…"

private func progressView(_ held: HeldNoteBar) -> HTML {
    guard let work = held.work else {
        let words: HTML = held.hasRemoteSigner ? signerWords : "Signing…"
        return "<span>\(words)</span>"
    }
    return """
        <span data-work>Working on \(work.bits) bits: \(work.words)</span><progress class="held-meter" max="100" value="\(work.percent)" aria-label="Work done on average"></progress><button class="button small" formaction="/compose/skip-work">Stop and publish without</button>
        """
}
