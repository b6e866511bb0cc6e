internal import NostrCore
internal import ViewModels

/// The sealed files of a message: pictures within the page where they may be fetched, everything else to be opened.
struct SealedFilesView {
    let message: MessageItem
    /// Where the conversation or the circle is.
    let path: Path
    let isCircle: Bool
    /// Whether pictures are fetched without being asked for: the host that has one learns by it that it was seen.
    let loadsByItself: Bool

    func html() -> HTML {
        "\(each: Array(message.files.enumerated()), { one($0.element, number: $0.offset) })"
    }

    private func address(_ number: Int) -> Path {
        isCircle ? "\(path)/\(message.id)/file/\(number)" : "\(path)/\(message.id)/file"
    }

    private func one(_ file: FileItem, number: Int) -> HTML {
        let facts = [file.name, file.type, file.size, file.dimensions].filter { !$0.isEmpty }.joined(separator: " · ")
        guard file.canOpen else { return card(file, facts, "<span class=\"hint\">\(SealedFileWords.noKey)</span>") }
        guard file.isPicture, loadsByItself else {
            return card(
                file, facts,
                """
                <a class="button quiet small" href="\(address(number))"\(flag: "download", if: !file.isPicture)>\(SealedFileWords.open(isPicture: file.isPicture))</a>
                """)
        }
        return """
            <figure class="talk-picture"><a href="\(address(number))"\(if: file.placeholder != nil, " class=\"has-veil\"")>\(some: file.placeholder, veil)<img src="\(address(number))" alt="\(words(file))"\(some: file.pixels, { " width=\"\($0.width)\" height=\"\($0.height)\"" }) loading="lazy" decoding="async" data-sealed></a><figcaption class="hint">\(icon(.lock))\(facts)</figcaption></figure>
            """
    }

    /// What stands in the place of a picture until it is loaded: drawn within the page, since what a picture looks like
    /// from far away is as private as the picture, and is to be in no address and in no browser's cache.
    private func veil(_ placeholder: MediaItem.Placeholder) -> HTML {
        let side = 6
        guard let colours = placeholder.colours(side) else { return HTML() }
        return """
            <svg class="veil" viewBox="0 0 \(side) \(side)" preserveAspectRatio="none" aria-hidden="true">\(each: Array(colours.enumerated()), { cell in
                let colour = encodeHex([cell.element.red, cell.element.green, cell.element.blue])
                return "<path fill=\"#\(colour)\" d=\"M\(cell.offset % side) \(cell.offset / side)h1v1h-1z\"/>"
            })</svg>
            """
    }

    /// What a picture is to who cannot see it.
    private func words(_ file: FileItem) -> String {
        file.description.isEmpty ? SealedFileWords.picture(named: file.name) : file.description
    }

    private func card(_ file: FileItem, _ facts: String, _ act: HTML) -> HTML {
        """
        <div class="talk-file">\(icon(.file))<p><span class="name">Encrypted \(file.sort.lowercased())</span><span class="hint">\(facts)</span>\(if: !file.description.isEmpty, "<span>\(file.description)</span>")\(act)</p></div>
        """
    }
}

/// Files that no media server has taken yet, below what was said; the place is there without any, for those that come.
func unsentFilesView(_ files: [UnsentFileItem], _ path: Path) -> HTML {
    // What is told of each change is one line: the buttons would be read out with it, at both ends of every try.
    """
    <div class="talk-unsent" data-unsent><p class="hint" role="status" data-unsent-count>\(SealedFileWords.unsent(files.count))</p><div data-unsent-rows>\(if: !files.isEmpty, """
        <ul class="plain">\(each: files, { unsentFileView($0, path) })</ul>
        """)</div></div>
    """
}

private func unsentFileView(_ file: UnsentFileItem, _ path: Path) -> HTML {
    let facts = [file.size, file.text].filter { !$0.isEmpty }.joined(separator: " · ")
    let acts: Path = "\(path)/unsent/\(file.id)"
    return """
        <li class="talk-file">\(icon(.file))<p><span class="name" dir="auto">\(file.name)</span><span class="hint">\(facts)</span><span class="\(if: file.hasFailed, "problem", else: "hint")">\(file.words)</span><span class="talk-unsent-acts">\(if: file.canRetry, "<button class=\"button quiet small\" formaction=\"\(acts)/retry\">Try again<span class=\"visually-hidden\"> to send \(file.name)</span></button>")<button class="button quiet small" formaction="\(acts)/remove">Remove<span class="visually-hidden"> \(file.name)</span></button></span></p></li>
        """
}
