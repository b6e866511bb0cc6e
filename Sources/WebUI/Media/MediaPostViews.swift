internal import NostrCore
internal import ViewModels

/// A post of pictures, under its text.
func picturePostView(_ post: PicturePostItem, _ note: NoteItem, _ style: NoteStyle) -> HTML {
    let loads = { (address: String) in style.loads(address, of: note.author, own: note.isOwn) }
    let shown = post.pictures.filter { loads($0.address) }
    return """
        \(mediaGrid(shown, mediaStyle(note, style, loads: loads)))\(mediaLinks(post.pictures.filter { !loads($0.address) }))\(some: post.location, { "<p class=\"media-facts\">\($0)</p>" })\(peopleLine(post.people))
        """
}

/// A film, under its text.
func videoView(_ video: VideoItem, _ note: NoteItem, _ style: NoteStyle) -> HTML {
    let loads = { (address: String) in style.loads(address, of: note.author, own: note.isOwn) }
    let media = (video.film.map { [$0] } ?? []) + video.sounds.map(\.item)
    let shown = media.filter { item in item.sources.contains { loads($0.address) } }
    let others = media.filter { !shown.contains($0) }
    let isWordless = note.parts.allSatisfy { $0 == .text("") }
    return """
        \(mediaGrid(shown, mediaStyle(note, style, loads: loads)))\(mediaLinks(others))\(some: isWordless ? video.description : nil, { "<p>\($0)</p>" })\(factsLine(video))\(chapterList(video.chapters))
        """
}

private func peopleLine(_ people: [PersonItem]) -> HTML {
    guard !people.isEmpty else { return HTML() }
    return """
        <p class="media-facts">In the picture:\(each: people, { person in
            let path: Path = "/people/\(person.key)"
            return "\(if: person != people.first, ",") <a class=\"mention\" href=\"\(path)\">@\(person.name)</a>"
        })</p>
        """
}

private func factsLine(_ video: VideoItem) -> HTML {
    let facts = [video.isShort ? "Short film" : "Film", video.length].compactMap { $0 }.joined(separator: ", ")
    return """
        <p class="media-facts">\(facts)\(each: video.captions, { caption in
            " · \(captionLink(caption))"
        })\(each: video.sounds.compactMap(\.words), { " · \($0)" })\(some: video.origin, { " · First shown at \(linkAway($0))" })\(each: video.references, { " · See \(linkAway($0))" })</p>
        """
}

/// A link of an author's, or its name where it leads nowhere.
private func linkAway(_ link: VideoItem.Link) -> HTML {
    guard let url = link.address.flatMap({ ForeignURL($0) }) else { return "\(link.name)" }
    return "<a href=\"\(url: url)\" rel=\"noopener nofollow ugc\" target=\"_blank\">\(link.name)</a>"
}

private func captionLink(_ caption: VideoItem.Caption) -> HTML {
    guard let url = ForeignURL(caption.address) else { return HTML() }
    return "<a href=\"\(url: url)\" rel=\"noopener nofollow ugc\" target=\"_blank\">Captions (\(caption.name))</a>"
}

private func chapterList(_ chapters: [VideoItem.Chapter]) -> HTML {
    guard !chapters.isEmpty else { return HTML() }
    return """
        <details class="chapters"><summary>Chapters</summary><ol>\(each: chapters, { "<li><span class=\"chapter-start\">\($0.start)</span> \($0.title)</li>" })</ol></details>
        """
}
