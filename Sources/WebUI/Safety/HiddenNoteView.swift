internal import NostrCore
internal import ViewModels

/// What stands in the place of a muted note, with a way to see it that needs no script.
///
/// - Parameters:
///   - path: where it can be seen; nothing of it is on this page.
///   - depth: how deep it stands in a conversation.
func hiddenNoteView(_ hidden: HiddenNoteItem, at path: Path, depth: Int = 0) -> HTML {
    """
    <p class="hidden-note depth-\(depth)" data-hidden="\(hidden.id.hex)">\(icon(.mute))<span>\(hidden.words)</span> <a class="button quiet small" rel="nofollow" href="\(path)" aria-label="Show what you muted here">Show</a></p>
    """
}

/// A muted note inside another.
func hiddenQuoteView(_ hidden: HiddenNoteItem) -> HTML {
    "<div class=\"card\">\(hiddenNoteView(hidden, at: "/note/\(hidden.id)?show=1"))</div>"
}

/// What is said above a page that shows what is muted since its reader asked for it.
func unveiledLine(_ words: HTML, back path: Path) -> HTML {
    """
    <p class="strip is-unveiled">\(icon(.mute))<span>\(words)</span> <a class="button quiet small" href="\(path)">Hide again</a></p>
    """
}
