internal import NostrCore
internal import ViewModels

/// A note that was just written, and what can still be done about it.
struct HeldNoteBar {
    /// The name to ask after it.
    let id: String
    let standing: OutgoingNotes.Standing
    /// The work that goes on before it is signed.
    let work: WorkItem?
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
    case .held(let due):
        let seconds = max(0, due.seconds - held.now.seconds)
        return """
            <span class="held-words">Publishing in <span data-seconds>\(seconds)</span> s</span><progress class="held-meter" max="10" value="\(seconds)" aria-label="Seconds left to undo"></progress><button class="button small" formaction="/compose/undo">Undo</button><button class="button quiet small" formaction="/compose/now">Send now</button>
            """
    case .publishing:
        let path: Path = "/compose/held?id=\(held.id)"
        return "\(workView(held.work))<a class=\"button quiet small\" href=\"\(path)\">See</a>"
    case .waitingForKey:
        return """
            <span class="held-words">Waiting for your key: unlock it to publish.</span><a class="button small" href="/unlock">Unlock</a><button class="button quiet small" formaction="/compose/undo">Back to the text</button>
            """
    case .queued(let note): return outgoing("data-queued", note, "Waiting for a relay…")
    case .published(let note): return outgoing("data-published", note, "Published.")
    case .refused(let note): return outgoing("data-published", note, "No relay took it.")
    case .failed(let trouble):
        return """
            <span class="held-words">Not published: \(trouble.sentence)</span><button class="button small" formaction="/compose/undo">Back to the text</button>\(if: trouble.canRetry, "<button class=\"button quiet small\" formaction=\"/compose/now\">Try again</button>")
            """
    }
}

private func outgoing(_ mark: HTML, _ note: EventID, _ words: HTML) -> HTML {
    let path: Path = "/note/\(note)#receipts"
    return """
        <span class="held-words" \(mark)="\(note.hex)">\(words)</span><a class="button small" href="\(path)">Receipts</a>
        """
}

private func workView(_ work: WorkItem?) -> HTML {
    guard let work else { return "<span class=\"held-words\">Signing…</span>" }
    return """
        <span class="held-words" data-work>Working on \(work.bits) bits: \(work.words)</span><progress class="held-meter" max="100" value="\(work.percent)" aria-label="Work done on average"></progress><button class="button small" formaction="/compose/skip-work">Stop and publish without</button>
        """
}
