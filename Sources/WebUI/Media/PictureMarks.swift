internal import NostrNIPs
internal import ViewModels

/// A picture with a mark on everybody its author points at: a link with their name, where they are.
///
/// It is a drawing over the picture, since no page may have styles of its own, and cut as the picture is: `slice` is to a
/// drawing what `cover` is to a picture. Without a size nobody knows where a place is, and the picture stays as it is.
func pointed(_ item: MediaItem, _ picture: HTML) -> HTML {
    guard let size = item.size, !item.marks.isEmpty else { return picture }
    return """
        <div class="pointed">\(picture)<svg class="marks" viewBox="0 0 \(size.width) \(size.height)" preserveAspectRatio="xMidYMid slice" role="group" aria-label="People in the picture">\(each: item.marks, { markView($0, in: item) })</svg></div>
        """
}

/// A dot that is as large however large the picture is drawn, and the name beside it, where there is more room.
private func markView(_ mark: MediaItem.Mark, in item: MediaItem) -> HTML {
    guard let size = item.size else { return HTML() }
    let person: Path = "/people/\(mark.person.key)"
    let letter = max(min(size.width, size.height) / 18, 1)
    let isRight = mark.x > size.width / 2
    let place: HTML = "M\(mark.x) \(mark.y)h.01"
    return """
        <a class="mark" href="\(person)" aria-label="\(mark.name)"><path class="mark-touch" d="\(place)"/><path class="mark-ring" d="\(place)"/><path class="mark-dot" d="\(place)"/><text x="\(isRight ? mark.x - letter : mark.x + letter)" y="\(mark.y)" font-size="\(letter)" text-anchor="\(if: isRight, "end", else: "start")" dominant-baseline="central">\(mark.name)</text></a>
        """
}
