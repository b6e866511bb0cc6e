/// What stands where a list has nothing: the bird, a title, and what to do about it.
///
/// - Parameter isWaiting: whether the page's script is to look again when something arrives.
func emptyState(
    title: HTML, isLooking: Bool = false, isWaiting: Bool = false, _ body: HTML
) -> HTML {
    """
    <div class="empty"\(flag: "data-wait", if: isWaiting)>\(bird(isLooking: isLooking))<p class="empty-title">\(title)</p>\(body)</div>
    """
}

/// What stands where something did not load.
///
/// - Parameter path: where to try again.
func troubleState(title: HTML = "This did not load", _ sentence: String, retry path: Path? = nil) -> HTML {
    """
    <div class="empty is-trouble">\(icon(.alert))<p class="empty-title">\(title)</p><p>\(sentence)</p>\(some: path, {
        "<p><a class=\"button quiet\" href=\"\($0)\">Try again</a></p>"
    })</div>
    """
}

/// What is wrong with what a form brought; nothing for `nil`.
func problemLine(_ sentence: String?) -> HTML {
    guard let sentence else { return HTML() }
    return "<p class=\"problem\" role=\"alert\">\(sentence)</p>"
}
