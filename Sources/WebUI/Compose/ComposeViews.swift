internal import NostrCore
internal import ViewModels

/// A page to write on.
struct ComposeView {
    let state: ComposeState
    /// Where to go on afterwards, as it was handed in.
    let back: String
    let canSign: Bool
    let keepsDrafts: Bool
    let token: FormToken
    let style: NoteStyle
    /// Files that were chosen and are not there yet; `nil` where none can be uploaded.
    var left: [UploadItem]?
    /// How long it can be undone.
    var undo = OutgoingNotes.undoTime
    /// Whether GIFs are looked for.
    var hasGifs = false

    var title: String { state.replyTo != nil ? "Reply" : (state.quote != nil ? "Quote" : "New note") }

    /// The people picked while writing, as the page's script keeps them.
    fileprivate var mentions: String {
        state.draft.mentions.map { "\($0.key)\t\($0.value.hex)" }.sorted().joined(separator: "\n")
    }
    fileprivate var label: HTML {
        state.replyTo == nil ? "Your note" : "Your reply to \(answeredName)"
    }
    fileprivate var placeholder: HTML {
        state.replyTo == nil ? "What do you want to say?" : "Your reply to \(answeredName)"
    }
    private var answeredName: String { state.answered?.author.name ?? "someone" }
}

/// The main column of a page to write on.
func composeView(_ view: ComposeView) -> HTML {
    let state = view.state
    return """
        <div class="head"><h1>\(view.title)</h1>\(if: state.replyTo == nil && state.quote == nil, "<a class=\"button quiet small\" href=\"/compose/poll\">Make a poll</a>")</div>
        \(if: !view.canSign, "<p class=\"strip\">This account can only read, so it cannot write.</p>")
        \(some: state.answered, { note in
            """
            <section class="compose-about" aria-label="The note you reply to">\(NoteMarkup(note: note, style: view.style).card())</section>
            """
        })
        \(composeForm(view))
        <div id="preview">\(previewView(state))</div>
        """
}

/// How long a note can be undone, if it can.
func undoHint(_ undo: Duration) -> HTML {
    "\(if: undo > .zero, "<span class=\"hint\">You can undo for \(undo.components.seconds) seconds.</span>")"
}

private func composeForm(_ view: ComposeView) -> HTML {
    let state = view.state
    let (reply, quote) = (state.replyTo?.hex ?? "", state.quote?.hex ?? "")
    return """
        <form class="compose sheet" method="post" action="/compose" enctype="multipart/form-data" data-compose data-reply="\(reply)" data-quote="\(quote)">
        \(noDefaultButton)\(view.token.field)\(hidden("reply", reply))\(hidden("quote", quote))\(hidden("back", view.back))\(hidden("kept", state.keptAs ?? ""))
        <textarea name="mentions" class="visually-hidden" hidden>\(view.mentions)</textarea>
        \(problemLine(state.problem))
        <div class="field compose-text">
        <label for="text" class="visually-hidden">\(view.label)</label>
        <textarea id="text" name="text" rows="7" placeholder="\(view.placeholder)" autofocus dir="auto" aria-describedby="compose-hint">\(state.draft.text)</textarea>
        \(completionList)
        </div>
        <p class="hint" id="compose-hint"><kbd>@</kbd> names a person, <kbd>:</kbd> an emoji, <kbd>#</kbd> a topic.</p>
        \(some: state.quoted, { note in
            """
            <section aria-label="The note you quote">\(NoteMarkup(note: note, style: view.style).card())</section>
            """
        })
        \(attachmentFields(state, left: view.left, hasGifs: view.hasGifs))
        <div class="field-row"><label class="check"><input type="checkbox" name="warned" value="1"\(flag: "checked", if: state.draft.warning != nil)><span>Content warning</span></label><label class="visually-hidden" for="warning">Reason for the content warning</label><input id="warning" name="warning" value="\(state.draft.warning ?? "")" placeholder="Reason (optional)" maxlength="100"></div>
        <p class="sheet-end"><button class="button" name="do" value="publish"\(flag: "disabled", if: !view.canSign)>Publish</button><button class="button quiet" name="do" value="preview">Preview</button>\(if: view.keepsDrafts, "<button class=\"button quiet\" name=\"do\" value=\"draft\">Save draft</button>")\(undoHint(view.undo))</p>
        </form>
        """
}

/// What was written, as others will see it; nothing before it was asked for.
func previewView(_ state: ComposeState) -> HTML {
    guard state.problem == nil else { return problemLine(state.problem) }
    guard let parts = state.preview else { return HTML() }
    let text: HTML = "<div class=\"note-text\" dir=\"auto\">\(richText(parts, drawsMedia: false))</div>"
    let warned: HTML? = state.draft.warning.map { warning -> HTML in
        "<details class=\"warned\" open><summary>Content warning: \(warning)</summary>\(text)</details>"
    }
    return """
        <section class="preview" aria-labelledby="preview-title"><h2 class="list-title" id="preview-title">Preview</h2>\(warned ?? text)</section>
        """
}

/// What stands beside a page to write on.
let composeAside: HTML = """
    <section class="side"><h2>Before you publish</h2><p>A note is public and signed by you. It goes to the relays you write on and to where the people you mention read. Afterwards you see which of them accepted it.</p><p>Relays can be asked to delete a note; nobody can force them.</p></section>
    """
