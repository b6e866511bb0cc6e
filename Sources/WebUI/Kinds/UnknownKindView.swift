internal import ViewModels

/// An event of a kind that is not shown here: what its author says it is, and where it may be seen.
func unknownKindView(_ unknown: UnknownKindItem, _ style: NoteStyle) -> HTML {
    let handler = style.kindHandler.isEmpty ? nil : ForeignURL(style.kindHandler + unknown.code)
    return """
        <div class="unknown-kind">\(if: !unknown.words.isEmpty, "<p dir=\"auto\">\(unknown.words)</p>")<p class="hint">Linnet does not show this kind of event (\(unknown.kind)).\(some: handler, { " <a href=\"\(url: $0)\" rel=\"noopener nofollow ugc\" target=\"_blank\">Open it elsewhere</a>" })</p></div>
        """
}
