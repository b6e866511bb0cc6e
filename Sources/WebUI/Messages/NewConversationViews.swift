internal import NostrClient
internal import NostrCore
internal import ViewModels

/// The first message to somebody: whom it goes to, and what it says.
func newConversationView(_ view: NewConversationView, token: FormToken, _ style: NoteStyle) -> HTML {
    let draft = view.draft
    return """
        <header class="talk-head"><a class="back" href="/messages" aria-label="All conversations">\(icon(.back))</a><div class="talk-title"><h1>New message</h1><p class="handle">Only the people you name can read it.</p></div></header>
        <div class="mail-page">
        <form class="sheet mail-new" method="post" action="/messages/new" enctype="multipart/form-data" data-new autocomplete="off">
        \(token.field)\(onceField())<textarea name="people" hidden>\(view.people.map(\.key.hex).joined(separator: "\n"))</textarea><textarea name="mentions" hidden>\(draft.mentionLines)</textarea>
        <button class="visually-hidden" name="do" value="look" tabindex="-1" aria-hidden="true">Look up</button>
        \(problemLine(view.problem))
        \(recipientField(view))
        \(if: !view.candidates.isEmpty, "<ul class=\"people-list candidates\">\(each: view.candidates, { candidate($0, style) })</ul>")
        <div class="field"><label for="subject">Subject <span class="hint">optional</span></label><input id="subject" name="subject" value="\(draft.subject)" maxlength="\(MessageDraft.longestSubject)" autocomplete="off"></div>
        <div class="field compose-text"><label for="text">Message</label><textarea id="text" name="text" rows="5" dir="auto" autocomplete="off">\(draft.text)</textarea><div id="completions" class="completions" role="listbox" aria-label="Suggestions" hidden></div></div>
        \(fileFields(draft))
        <div class="field"><label for="lifetime">How long it lasts</label><select id="lifetime" name="lifetime">\(lifetimeOptions(draft.lifetime ?? .kept))</select></div>
        <p class="sheet-end"><button class="button" name="do" value="send">Send</button></p>
        </form>
        <template id="chosen-person"><li class="chosen-person"><span class="avatar tiny"></span><span class="name"></span><button name="remove">\(icon(.close))</button></li></template>
        </div>
        """
}

/// One file that goes with the first message; more go once there is a conversation.
private func fileFields(_ draft: MessageDraft) -> HTML {
    """
    <div class="field"><label for="file">Attach a file <span class="hint">optional</span></label><input id="file" name="file" type="file" aria-describedby="file-hint"><p class="hint" id="file-hint">\(SealedFileWords.sealing)\(if: draft.file != nil, " <b>\(SealedFileWords.chooseAgain)</b>")</p></div>
    <div class="field"><label for="alt">\(SealedFileWords.description) <span class="hint">optional</span></label><input id="alt" name="alt" value="\(draft.file?.description ?? "")" maxlength="1000" autocomplete="off" dir="auto"></div>
    """
}

private func recipientField(_ view: NewConversationView) -> HTML {
    """
    <div class="field"><label for="to">To</label><ul class="chosen" data-chosen>\(each: view.people, chosen)</ul>
    <div class="pen-field"><input id="to" name="to" value="\(view.to)" placeholder="Name, npub1… or name@example.org" autocomplete="off" spellcheck="false" aria-describedby="to-hint" autofocus><div id="to-completions" class="completions" role="listbox" aria-label="People" hidden></div></div><p class="hint" id="to-hint">Several, with commas between them, make a group.</p></div>
    """
}

private func chosen(_ person: PersonItem) -> HTML {
    """
    <li class="chosen-person">\(feathers(of: person.key, .tiny))<span class="name">\(person.name)</span><button name="remove" value="\(person.key.hex)" aria-label="Leave \(person.name) out">\(icon(.close))</button></li>
    """
}

private func candidate(_ person: PersonItem, _ style: NoteStyle) -> HTML {
    """
    <li><button class="person-row" name="add" value="\(person.key.hex)">\(avatar(person, .small, style))<span class="person-row-words"><span class="name">\(person.name)</span><span class="handle">\(handleView(person))</span></span>\(if: person.isFollowed, "<span class=\"chip\">Following</span>")</button></li>
    """
}
