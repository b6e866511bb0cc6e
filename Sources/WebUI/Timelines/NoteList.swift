internal import NostrClient
internal import ViewModels

/// A timeline, as one part of a page draws it.
struct NoteList {
    let state: TimelineState
    /// The page it stands on; older notes and "Try again" lead there.
    let path: Path
    let token: FormToken
    let style: NoteStyle

    fileprivate var trouble: Trouble? {
        if case .failed(let trouble) = state.phase { trouble } else { nil }
    }
}

/// The notes of a timeline, or what there is to say when there are none.
func noteListView(_ list: NoteList) -> HTML {
    let state = list.state
    return """
        <form class="feed" method="post" action="\(list.path)" data-path="\(list.path)"\(flag: "data-home", if: list.state.isHome)\(attribute: "data-live", state.source.staysLive ? state.source.word : nil)>
        \(noDefaultButton)\(list.token.field)\(hidden("back", list.path.text))
        \(notesHTML(state.notes, list.style))
        \(some: list.trouble, { troubleState($0.sentence, retry: list.path) })
        \(if: list.trouble == nil && state.notes.isEmpty, emptyList(list))
        \(some: state.next, { olderLink(list.path, mark: $0.mark) })
        \(if: state.next == nil && !state.isLoadingOlder && !state.notes.isEmpty, "<p class=\"feed-end\">That is all there is so far.</p>")
        </form>
        """
}

/// The link to older notes, which a script follows in place.
func olderLink(_ path: Path, mark: String) -> HTML {
    let older = path.with("before", mark)
    return """
        <p class="more"><a class="button quiet" data-older href="\(older)" data-before="\(mark)">Older notes</a></p>
        """
}

private func emptyList(_ list: NoteList) -> HTML {
    if list.state.isHome, list.state.followsNobody {
        return emptyState(
            title: "You follow nobody yet", isWaiting: true,
            """
            <p>Notes of the people you follow gather here. <a href="/search">Find someone to follow</a>.</p>\(if: list.state.isLoadingOlder, "<p class=\"hint\">Relays are still being asked whether you follow somebody already.</p>")
            """)
    }
    if list.state.isLoadingOlder {
        return emptyState(
            title: "Asking relays", isLooking: true, isWaiting: true,
            "<p>The first notes appear here as soon as a relay answers.</p>")
    }
    if list.state.isHome {
        return emptyState(
            title: "It is quiet here", isWaiting: true,
            "<p>Notes of the people you follow gather here. <a href=\"/search\">Find someone to follow</a>.</p>")
    }
    if case .trending(let choice) = list.state.source {
        return emptyState(
            title: "Nothing is trending yet", isWaiting: choice.server != nil,
            "<p>Nothing was counted within this time. Try a longer one.</p>")
    }
    if case .relays = list.state.source {
        return emptyState(
            title: "No notes came", isWaiting: true,
            "<p>There are none, or they could not be read. <a href=\"/relays\">Relays</a> says how each one stands.</p>"
        )
    }
    return emptyState(
        title: "No notes found", isWaiting: true, "<p>None of the relays asked so far has any.</p>")
}
