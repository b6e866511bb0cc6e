internal import NostrCore
internal import ViewModels

/// Apps that say they open a note of a kind that is not shown here, as links out; nothing where there are none.
func appsView(_ apps: [AppOfferItem]) -> HTML {
    if apps.isEmpty { return HTML() }
    return """
        <section class="zaps apps" aria-labelledby="apps-title"><h2 id="apps-title">Apps that say they show it</h2>
        <ul>\(each: apps, appRow)</ul>
        <p class="hint">Linnet has tried none of them. A site learns what you open there.</p></section>
        """
}

private func appRow(_ app: AppOfferItem) -> HTML {
    guard let url = ForeignURL(app.address) else { return HTML() }
    let names = { (person: PersonItem) -> HTML in
        " <a href=\"\("/people/\(person.key)" as Path)\">\(person.name)</a>"
    }
    let trust: HTML =
        if app.people.isEmpty {
            "nobody you follow recommends it"
        } else {
            "recommended by\(each: app.people, names)\(if: app.others > 0, " and \(app.others) more")"
        }
    return """
        <li><a href="\(url: url)" rel="noopener noreferrer nofollow ugc" target="_blank"><strong dir="auto">\(app.name)</strong></a> <span class="hint">\(app.host) · \(trust)</span></li>
        """
}
