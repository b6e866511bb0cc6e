/// The pictures in `icons.svg`, by their ids.
enum Icon: String, CaseIterable {
    case home, search, relays, circle, person, settings, feather, reply, repost, heart, quote, check, alert, up, back
    case lock, mail, send, timer, file, trash, close, link, bird, seal, more, plus, list, draft, clock, key, mute
    case bookmark, pin, zap, play, bell, camera
}

/// An icon that says nothing a screen reader needs.
func icon(_ icon: Icon) -> HTML {
    "<svg aria-hidden=\"true\"><use href=\"\(Assets.address)/icons.svg#\(icon.rawValue)\"/></svg>"
}

/// An icon that stands for words.
func icon(_ icon: Icon, label: String) -> HTML {
    """
    <svg role="img" aria-label="\(label)"><use href="\(Assets.address)/icons.svg#\(icon.rawValue)"/></svg>
    """
}

/// Linnet's bird, large; it looks around while something is on its way.
func bird(isLooking: Bool = false) -> HTML {
    """
    <svg class="bird\(if: isLooking, " is-looking")" aria-hidden="true"><use href="\(Assets.address)/icons.svg#bird"/></svg>
    """
}
