internal import NostrCore
internal import ViewModels

/// What people the account follows reported a note or a person for; nothing where nobody did.
func reportsView(_ lines: [ReportLine]) -> HTML {
    if lines.isEmpty { return HTML() }
    return """
        <section class="zaps reports" aria-labelledby="reports-title"><h2 id="reports-title">\(icon(.alert))Reported</h2>
        <ul>\(each: lines, reportRow)</ul>
        <p class="hint">Only reports by people you follow, and your own, are shown.</p></section>
        """
}

private func reportRow(_ line: ReportLine) -> HTML {
    let names = { (person: PersonItem) -> HTML in
        " <a href=\"\("/people/\(person.key)" as Path)\">\(person.name)</a>"
    }
    return """
        <li><strong>\(line.reason)</strong>\(if: line.isOwn, " <span>by you</span>")\(each: line.people, names)\(if: line.others > 0, " <span class=\"hint\">and \(line.others) more</span>")</li>
        """
}

/// A report among notes: what it is about, and for what; its author's words stand above it.
func reportCard(_ report: ReportCard) -> HTML {
    let target: HTML =
        if let event = report.event {
            "<a href=\"\("/note/\(event)" as Path)\">the note it is about</a>"
        } else if let code = report.code {
            "<a href=\"\("/search?q=\(code)" as Path)\">what it is about</a>"
        } else {
            "<a href=\"\("/people/\(report.person)" as Path)\">the person it is about</a>"
        }
    return """
        <div class="unknown-kind"><p><strong>Report: \(report.reason)</strong></p><p class="hint">Anyone can report anyone. See \(target).</p></div>
        """
}
