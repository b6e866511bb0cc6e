internal import NostrClient
internal import ViewModels

/// The previews of a note's first links; a script asks for those that are not known yet.
func previewsView(_ note: NoteItem, _ style: NoteStyle) -> HTML {
    guard let previews = style.previews, previews.shows(linksOf: note.author, own: note.isOwn) else { return HTML() }
    return "\(each: note.previews(from: previews.source), { previewView($0, of: note, style) })"
}

private func previewView(_ state: PreviewState, of note: NoteItem, _ style: NoteStyle) -> HTML {
    switch state {
    case .known(let item):
        return previewCard(item, style, loadsPicture: { style.loads($0, of: note.author, own: note.isOwn) })
    case .open(let item):
        let path: Path = "/previews?url=\(item.address)"
        // Whether its picture may be loaded is known here, where it is known whose link it is.
        let hasPicture = style.media == .always || style.media == .follows && (note.author.isFollowed || note.isOwn)
        return previewCard(
            item, style, asking: hasPicture ? path.with("pictures", "1") : path, loadsPicture: { _ in false })
    }
}

/// One page as a card that leads to it.
///
/// It is as high before as after its site was asked, so that nothing moves.
///
/// - Parameter asking: where a script asks for what is not known yet.
func previewCard(
    _ item: PreviewItem, _ style: NoteStyle, asking path: Path? = nil, loadsPicture: (String) -> Bool
) -> HTML {
    guard let url = ForeignURL(item.address) else { return HTML() }
    let picture = item.picture.flatMap { loadsPicture($0) ? ForeignURL($0) : nil }
    return """
        <a class="link-preview" href="\(url: url)" rel="noopener nofollow ugc" target="_blank"\(attribute: "data-preview", path?.text)>\(some: picture, { pictureView(style.source($0, .wide)) })<span class="link-preview-words"><span class="link-preview-site">\(item.site)</span><span class="link-preview-title" dir="auto">\(item.title)</span>\(some: item.summary, { "<span class=\"link-preview-summary\" dir=\"auto\">\($0)</span>" })</span></a>
        """
}

private func pictureView(_ source: HTML) -> HTML {
    "<img class=\"link-preview-picture\" loading=\"lazy\" decoding=\"async\" src=\"\(source)\" alt=\"\">"
}
