internal import NostrCore
internal import ViewModels

extension ActivitySearch {
    /// An address with what is looked for in its query.
    fileprivate func path(_ start: Path) -> Path {
        var path = start
        if !text.isEmpty { path = path.with("q", text) }
        if !app.isEmpty { path = path.with("app", app) }
        if !outcome.isEmpty { path = path.with("outcome", outcome) }
        if !kind.isEmpty { path = path.with("kind", kind) }
        return path
    }
}

/// The log and a search through it.
func activityView(_ view: ActivityView, _ style: NoteStyle) -> HTML {
    let search = view.search
    return """
        <form class="sheet" method="get" action="/signer/activity" role="search"><div class="field"><label for="activity-q">Search</label><input id="activity-q" name="q" value="\(search.text)" autocomplete="off" type="search"></div><div class="work-fields"><div class="field"><label for="activity-app">App</label><select id="activity-app" name="app"><option value="">All apps</option>\(each: view.apps, { app in
            option(app.word, app.title, isChosen: app.word == search.app)
        })</select></div><div class="field"><label for="activity-outcome">Outcome</label><select id="activity-outcome" name="outcome"><option value="">Any</option>\(each: ActivitySearch.outcomes, { outcome in
            option(outcome.word, outcome.title, isChosen: outcome.word == search.outcome)
        })</select></div><div class="field"><label for="activity-kind">Kind</label><input id="activity-kind" name="kind" value="\(search.kind)" type="number" min="0" max="65535" inputmode="numeric" placeholder="any"></div></div><p class="sheet-end"><button class="button">Search</button>\(if: !search.isEmpty, "<a class=\"button quiet\" href=\"/signer/activity\">Show all</a>")<a class="button quiet" href="\(search.path("/signer/activity/export"))" download>Export as JSON lines</a></p></form>
        \(activityLines(view, style))
        """
}

/// The lines of the log; a script looks again when there are newer ones.
func activityLines(_ view: ActivityView, _ style: NoteStyle) -> HTML {
    let path = view.search.path("/signer/activity")
    return """
        <div id="lines"\(if: view.search.before == nil, " data-signer=\"activity\"") data-path="\(path)">
        \(if: view.lines.isEmpty, "<p class=\"part-empty\">\(if: view.search.isEmpty, "No app has asked for anything yet.", else: "No entry in the log matches.")</p>", else: "<ol class=\"rows\">\(each: view.lines, { activityLine($0, style) })</ol>")
        \(some: view.next, { "<p class=\"more\"><a class=\"button quiet\" href=\"\(path.with("before", String($0)))\">Older</a></p>" })
        </div>
        """
}

/// A line of the log.
func activityLine(_ line: ActivityItem, _ style: NoteStyle) -> HTML {
    let app: HTML = "<a class=\"name\" href=\"\(appPath(line.app))\">\(line.title)</a>"
    let words: HTML =
        line.isAct
        ? "<span>\(app): \(line.summary)</span>"
        : "<span>\(app) asked to \(line.what)</span>\(if: !line.summary.isEmpty, "<span>\(line.summary)</span>")"
    return """
        <li class="entry line"><span class="outcome is-\(line.outcome)">\(line.outcomeTitle)</span><span class="row-words">\(words)<span class="hint">\(line.reason)\(some: line.error, { " It was told: “\($0)”" })\(some: line.result, resultLink)</span></span><time class="hint" datetime="\(utc(line.time))">\(spoken(line.time, now: style.now))</time></li>
        """
}

private func resultLink(_ id: EventID) -> HTML {
    let path: Path = "/note/\(id)"
    return " <a href=\"\(path)\">event \(id.hex.prefix(8))</a>"
}
