internal import NostrCore
internal import ViewModels

/// A private conversation on its page.
struct ConversationTalk {
    let state: ConversationState
    /// Where the pictures of the account's own emoji lie that are drawn in it.
    let ownPictures: Set<String>
    let token: FormToken
    let style: NoteStyle

    /// Where the conversation is.
    var path: Path { "/messages/\(state.word)" }
    /// The list it stands in.
    var folder: Path { state.isRequest ? "/messages/requests" : "/messages" }
}

/// A conversation: who it is with, what was said, and the pen.
func conversationView(_ talk: ConversationTalk, _ item: ConversationItem) -> HTML {
    """
    <div class="talk" data-talk="\(talk.state.word)">
    \(head(talk, item))
    \(if: talk.state.isRequest, requestForm(talk, item))
    \(if: !talk.state.unreachable.isEmpty, unreachableStrip(talk.state.unreachable))
    \(conversationLog(talk))
    \(penView(Pen(talk, item)))
    </div>
    """
}

private func head(_ talk: ConversationTalk, _ item: ConversationItem) -> HTML {
    """
    <header class="talk-head"><a class="back" href="\(talk.folder)" aria-label="All conversations">\(icon(.back))</a>\(conversationPicture(item, talk.style))<div class="talk-title"><h1 dir="auto">\(title(item))</h1><p class="handle">\(subtitle(item))</p></div>
    <details class="talk-menu is-head"><summary aria-label="About this conversation">\(icon(.more))</summary><div class="talk-acts"><ul>\(each: item.people, { personLink($0, talk.style, isOwn: item.isToSelf) })</ul><details class="talk-delete"><summary class="talk-act">\(icon(.trash))Forget this conversation…</summary><form method="post" action="\(talk.path)/forget">\(talk.token.field)\(hidden("back", talk.folder.text))<p class="hint">All its messages go from this machine. New ones bring it back as a request.</p><button class="button quiet small">Forget it</button></form></details></div></details>
    </header>
    """
}

private func title(_ item: ConversationItem) -> HTML {
    guard !item.isGroup, let person = item.people.first else { return "\(item.title)" }
    let path: Path = "/people/\(person.key)"
    return "<a href=\"\(path)\">\(item.title)</a>"
}

private func subtitle(_ item: ConversationItem) -> HTML {
    if item.isGroup { return "You, \(peopleInARow(item.people))" }
    if let subject = item.subject { return "\(subject)" }
    return item.isToSelf ? "Only you can read these" : "\(item.people.first?.handle ?? "")"
}

private func personLink(_ person: PersonItem, _ style: NoteStyle, isOwn: Bool) -> HTML {
    let path: Path = "/people/\(person.key)"
    return """
        <li><a class="talk-act" href="\(path)">\(avatar(person, .small, style, isOwn: isOwn))<span class="name">\(person.name)</span></a></li>
        """
}

private func requestForm(_ talk: ConversationTalk, _ item: ConversationItem) -> HTML {
    """
    <form class="talk-request" method="post" action="\(talk.path)/accept">\(talk.token.field)<p><b>\(peopleInARow(item.people))</b> \(if: item.isGroup, "are", else: "is") not among the people you know. Replying accepts, too.</p><button class="button small">Accept</button><button class="button quiet small" formaction="\(talk.path)/forget">Forget</button></form>
    """
}

private func unreachableStrip(_ people: [PersonItem]) -> HTML {
    """
    <p class="talk-strip" role="note">\(peopleInARow(people)) \(if: people.count == 1, "has", else: "have") not said where to send private messages, so yours wait here until they do.</p>
    """
}

/// What was said, inside the form that carries the token of what is done with a message.
func conversationLog(_ talk: ConversationTalk) -> HTML {
    let item = talk.state.conversation
    let start: HTML =
        item?.isToSelf == true
        ? "Only you can read what you write here."
        : "Only you and \(item?.readers ?? "") can read what is written here."
    return logView(
        MessageLogView(
            log: talk.state.log, path: talk.path, isCircle: false, style: talk.style, isRequest: talk.state.isRequest,
            unsent: talk.state.unsent, ownPictures: talk.ownPictures),
        talk.token,
        label: "Conversation", start: start)
}

/// The pen below a conversation or the chat of a circle.
struct Pen {
    let path: Path
    let token: FormToken
    let title: String
    let placeholder: HTML
    let pen: MessagePen
    let answered: MessageItem?
    /// What is chosen of how long a message lasts; `nil` where there is no choice.
    let lifetime: MessageLifetime?
    let takesSubject: Bool
    /// Whether words go with a file, for who cannot see or hear it.
    let describesFiles: Bool

    fileprivate init(_ talk: ConversationTalk, _ item: ConversationItem) {
        (path, token, title) = (talk.path, talk.token, item.title)
        (pen, answered) = (talk.state.pen, talk.state.answered)
        placeholder = item.isToSelf ? "Note to yourself" : "Message"
        lifetime = talk.state.pen.draft.lifetime ?? talk.state.usualLifetime
        takesSubject = item.isGroup
        describesFiles = true
    }

    /// The pen of a circle, whose lines last and have no subject, and whose files no words of their own (MIP-04).
    init(circle state: CircleState, _ item: CircleItem, _ token: FormToken) {
        (path, self.token, title) = ("/circles/\(item.word)", token, item.name)
        (pen, answered, placeholder) = (state.pen, state.answered, "Message")
        (lifetime, takesSubject, describesFiles) = (nil, false, false)
    }
}

/// What is being written, what it answers, and why it was not sent.
func penView(_ pen: Pen) -> HTML {
    let draft = pen.pen.draft
    return """
        <form class="pen" method="post" action="\(pen.path)" enctype="multipart/form-data" data-pen\(flag: "data-describes", if: pen.describesFiles) autocomplete="off">
        \(pen.token.field)\(onceField())\(hidden("reply", draft.replyTo?.hex ?? ""))<textarea name="mentions" hidden>\(draft.mentionLines)</textarea>
        \(problemPlace(pen.pen.problem, isScripted: true))
        \(answeredView(pen))
        <ol class="plain uploads" data-uploads></ol>\(if: !pen.describesFiles, "<p class=\"hint\" data-files-hint hidden>\(SealedFileWords.wordsInMessage)</p>")
        <div class="pen-row"><div class="pen-field"><label class="visually-hidden" for="text">Message to \(pen.title)</label><textarea id="text" name="text" rows="1" placeholder="\(pen.placeholder)" dir="auto" autocomplete="off" aria-describedby="pen-hint"\(flag: "autofocus", if: draft.replyTo != nil)>\(draft.text)</textarea><div id="completions" class="completions" role="listbox" aria-label="Suggestions" hidden></div></div><button class="button pen-send" aria-label="Send">\(icon(.send))</button></div>
        <p class="pen-foot">\(some: pen.lifetime, { """
            <label><span class="visually-hidden">How long this message lasts</span>\(icon(.timer))<select name="lifetime">\(lifetimeOptions($0))</select></label>
            """ })\(if: pen.takesSubject, """
            <label class="pen-subject"><span class="visually-hidden">New subject</span><input name="subject" value="\(draft.subject)" maxlength="\(MessageDraft.longestSubject)" placeholder="New subject" autocomplete="off"></label>
            """)\(attachView(pen))<span class="hint" id="pen-hint"><span data-scripted hidden><kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> a new line</span></span></p>
        </form>
        """
}

/// The choice of files, or on a phone of what its camera sees; they go out sealed with what is written, or without.
///
/// Without scripts it is one.
private func attachView(_ pen: Pen) -> HTML {
    """
    <label class="pen-attach">\(icon(.file))<span>Attach a file</span><input type="file" name="file" aria-describedby="attach-hint"></label><label class="pen-camera">\(icon(.camera))<span>Take a picture</span><input type="file" name="camera" accept="image/*,video/*" capture="environment" aria-describedby="attach-hint"></label><span class="visually-hidden" id="attach-hint">\(SealedFileWords.sealing)</span>\(if: pen.describesFiles, """
        <noscript><label class="pen-words"><span class="visually-hidden">\(SealedFileWords.description)</span><input name="alt" maxlength="1000" placeholder="\(SealedFileWords.description)" autocomplete="off" dir="auto"></label></noscript>
        """)
    """
}

private func answeredView(_ pen: Pen) -> HTML {
    let author = pen.answered.map { ConversationWords.answering(isOwn: $0.isOwn, $0.author.name) } ?? ""
    let words = pen.answered?.excerpt ?? ConversationWords.earlierMessage
    return """
        <p class="pen-reply" data-replying\(flag: "hidden", if: pen.pen.draft.replyTo == nil)>\(icon(.reply))<span class="pen-reply-words">Replying to <b data-reply-author>\(author)</b> <span data-reply-words>\(words)</span></span><a class="pen-cancel" href="\(pen.path)" data-cancel aria-label="Do not reply to this message">\(icon(.close))</a></p>
        """
}

/// How long a message lasts, to choose from.
func lifetimeOptions(_ chosen: MessageLifetime) -> HTML {
    "\(each: MessageLifetime.allCases, { option($0.rawValue, $0.title, isChosen: $0 == chosen) })"
}

/// An entry of a list to choose from.
func option(_ value: String, _ label: String, isChosen: Bool) -> HTML {
    "<option value=\"\(value)\"\(flag: "selected", if: isChosen)>\(label)</option>"
}

extension MessageDraft {
    /// The people picked while writing, as the hidden field of a form keeps them.
    var mentionLines: String {
        mentions.map { "\($0.key)\t\($0.value.hex)" }.sorted().joined(separator: "\n")
    }
}
