internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The versions of one event.
struct VersionsView {
    let page: VersionsPage
    /// Why a version could not be brought back.
    let problem: String?
    let canSign: Bool
    let token: FormToken
    let now: Timestamp
}

/// The page of one event's versions.
func historyPath(_ address: EventAddress) -> Path {
    let path: Path = "/history/\(address.kind.rawValue)"
    return address.identifier.isEmpty ? path : path.with("d", address.identifier)
}

/// The main column of everything that has versions.
func historyView(_ rows: [HistoryRow], now: Timestamp) -> HTML {
    """
    <div class="head"><h1>Time machine</h1></div>
    <p class="list-lead">Every version of your profile, follows and lists that was ever seen here, including those made by other apps.</p>
    \(if: rows.isEmpty, emptyState(title: "No versions yet", "<p>From now on each version of what you publish is kept.</p>"), else: """
        <ul class="rows">
        \(each: rows, { historyRow($0, now: now) })
        </ul>
        """)
    """
}

private func historyRow(_ row: HistoryRow, now: Timestamp) -> HTML {
    let path = historyPath(row.address)
    return """
        <li><a class="row" href="\(path)"><span class="row-words"><span class="name">\(row.title)</span><span class="hint">Last change: \(moment(row.newest, now: now))</span></span><span class="counts"><span>\(row.versions) \(if: row.versions == 1, "version", else: "versions")</span></span></a></li>
        """
}

/// The main column of one event's versions.
func versionsView(_ view: VersionsView) -> HTML {
    let rows = view.page.rows
    return """
        <div class="head"><a class="back" href="/history" aria-label="Time machine">\(icon(.back))</a><h1>\(view.page.title)</h1></div>
        \(problemLine(view.problem))
        \(if: rows.isEmpty, emptyState(title: "No versions here", "<p><a href=\"/history\">All histories</a></p>"), else: """
            <ol class="rows">
            \(each: rows, { versionRow($0, view) })
            </ol>
            """)
        """
}

private func versionRow(_ row: VersionsPage.Row, _ view: VersionsView) -> HTML {
    let lostMost = row.words.lostMost
    return """
        <li class="revision\(if: row.isCurrent, " is-current")\(if: lostMost, " has-lost")"><h2 class="revision-when">\(fullMoment(row.madeAt)) <span class="hint">\(spoken(row.madeAt, now: view.now))</span>\(if: row.isCurrent, "<span class=\"chip\">Current</span>")</h2>
        \(if: lostMost, "<p class=\"revision-alarm\">\(icon(.alert)) This version lost most of what was there.</p>")
        <ul class="revision-lines">\(each: row.words.lines, { "<li>\($0)</li>" })</ul>
        <p class="hint">\(some: row.entries, { "\($0) public \(if: $0 == 1, "entry", else: "entries") · " })\(if: row.isClosed, "the private part cannot be read now · ")id \(row.id.hex.prefix(8))</p>
        \(if: !row.isCurrent && view.canSign, restoreForm(row, view))</li>
        """
}

private func restoreForm(_ row: VersionsPage.Row, _ view: VersionsView) -> HTML {
    let address = view.page.address
    let action: Path = "/history/\(address.kind.rawValue)/restore"
    return """
        <details class="confirm"><summary class="button quiet small">Restore…</summary><form method="post" action="\(action)">\(view.token.field)\(hidden("d", address.identifier))\(hidden("id", row.id.hex))<p>This publishes the version of \(fullMoment(row.madeAt)) again, as the newest. The current one stays here.</p><p class="sheet-end"><button class="button small">Restore this version</button></p></form></details>
        """
}
