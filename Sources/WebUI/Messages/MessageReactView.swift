internal import NostrCore
internal import ViewModels

/// Picking an emoji for a message or for a line of a circle.
struct MessageReactPage {
    /// Where the conversation or the circle is.
    let path: Path
    let id: EventID
    let choices: EmojiChoices
    /// Who sees the reaction.
    let audience: HTML

    fileprivate var action: Path { "\(path)/\(id)/react" }
    /// The message in its conversation.
    fileprivate var message: Path { "\(path)#m-\(id.hex)" }
}

/// The emoji to pick from, as forms that need no script.
func messageReactView(_ page: MessageReactPage, _ token: FormToken, _ style: NoteStyle) -> HTML {
    """
    <div class="sheet"><form class="picker" method="post" action="\(page.action)">\(token.field)
    \(emojiParts(page.choices, style))
    </form>
    <form method="post" action="\(page.action)">\(token.field)
    <div class="field"><label for="reaction-content">Another one</label><input id="reaction-content" name="content" maxlength="64" autocomplete="off" required aria-describedby="reaction-hint"><p class="hint" id="reaction-hint">One emoji, or the :name: of one of yours. \(page.audience)</p></div>
    <p class="sheet-end"><button class="button">React</button><a class="button quiet" href="\(page.message)">Cancel</a></p></form></div>
    """
}
