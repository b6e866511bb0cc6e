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
            <figure class="talk-picture"><a href="\(address(number))"><img src="\(address(number))" alt="\(words(file))"\(some: file.pixels, { " width=\"\($0.width)\" height=\"\($0.height)\"" }) loading="lazy" decoding="async" data-sealed></a><figcaption class="hint">\(icon(.lock))\(facts)</figcaption></figure>
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
