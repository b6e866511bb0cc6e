internal import NostrCore
internal import ViewModels

/// What stands on a list, in a row: a person with their picture, or a thing with what it is.
func listEntryView(_ entry: ListEntry, _ style: NoteStyle) -> HTML {
    let isPerson = entry.item.sort == .person
    let kind: HTML = isPerson ? HTML() : "\(entry.item.sort.one)\(if: !entry.detail.isEmpty, " · ")"
    return """
        \(if: isPerson, "\(some: entry.person, { avatar($0, .small, style, loading: .lazy) })")<span class="row-words">\(nameView(entry))<span class="hint">\(kind)\(entry.detail)</span></span>
        """
}

private func nameView(_ entry: ListEntry) -> HTML {
    guard let path = entry.path else { return "<span class=\"name\">\(entry.text)</span>" }
    return "<a class=\"name\" href=\"\(path)\">\(entry.text)</a>"
}

extension ListEntry {
    /// Where it can be looked at here; `nil` for what leads nowhere.
    fileprivate var path: Path? {
        switch target {
        case .person(let key): "/people/\(key)"
        case .note(let id): "/note/\(id)"
        case .topic(let topic): "/tags/\(topic)"
        case .web, nil: nil
        }
    }
}
