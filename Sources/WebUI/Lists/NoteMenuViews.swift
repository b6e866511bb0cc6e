internal import NostrCore
internal import ViewModels

/// What can be done with a note beyond answering it, on a page of its own.
func noteMenuPage(_ note: NoteItem, _ menu: HTML, _ style: NoteStyle) -> HTML {
    let path: Path = "/note/\(note.id)"
    return """
        <div class="head"><a class="back" href="\(path)" aria-label="Back to the note">\(icon(.back))</a><h1>More for this note</h1></div>
        <div class="sheet">\(NoteMarkup(note: note, style: style).card())\(menu)</div>
        """
}

/// What can be done with a note beyond answering it.
func noteMenuView(_ menu: NoteMenu, back: String, _ token: FormToken) -> HTML {
    """
    <form class="menu-list" method="post" action="/home" data-marks data-author="\(menu.note.author.key.hex)" data-note="\(menu.note.id.hex)">\(token.field)\(hidden("back", back))
    \(each: marks(menu), { markButton($0, on: menu.note) })
    </form>
    """
}

/// A mark that can be put on the note, or taken off.
private struct MarkChoice {
    let mark: NoteMark
    let icon: Icon
    let isOn: Bool
    let words: HTML
}

private func marks(_ menu: NoteMenu) -> [MarkChoice] {
    let name = menu.note.author.name
    let own =
        menu.note.isOwn
        ? MarkChoice(
            mark: .pin, icon: .pin, isOn: menu.isPinned,
            words: menu.isPinned ? "Unpin from your profile" : "Pin to your profile")
        : MarkChoice(
            mark: .mutePerson, icon: .mute, isOn: menu.isAuthorMuted,
            words: menu.isAuthorMuted ? "Unmute \(name)" : "Mute \(name)")
    return [
        MarkChoice(
            mark: .bookmark, icon: .bookmark, isOn: menu.isBookmarked,
            words: menu.isBookmarked ? "Remove the bookmark" : "Bookmark privately"),
        own,
        MarkChoice(
            mark: .muteConversation, icon: .mute, isOn: menu.isConversationMuted,
            words: menu.isConversationMuted ? "Unmute this conversation" : "Mute this conversation"),
    ]
}

private func markButton(_ choice: MarkChoice, on note: NoteItem) -> HTML {
    let action: Path = "/note/\(note.id)/mark/\(choice.mark.rawValue)"
    return """
        <button class="drawer-item" formaction="\(action)" name="off" value="\(if: choice.isOn, "1")" data-mark="\(choice.mark.rawValue)">\(icon(choice.icon))<span class="drawer-name">\(choice.words)</span></button>
        """
}
