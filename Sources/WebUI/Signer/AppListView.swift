internal import ViewModels

/// The apps that are paired.
func appListView(_ apps: [AppItem], _ style: NoteStyle) -> HTML {
    let silent = apps.filter { !$0.hasAnswered }
    return """
        <div data-signer="apps" data-path="/signer/apps">
        \(if: apps.isEmpty, """
        <div class="empty">\(bird())<h2 class="empty-title">No app is paired</h2><p>Pair an app, and it can ask for signatures without ever seeing your key.</p><p><a class="button" href="/signer/connect">Connect an app</a></p></div>
        """, else: """
        <ul class="rows">\(each: apps.filter(\.hasAnswered), { appRow($0, style) })</ul>\(if: !silent.isEmpty, """
            <section aria-labelledby="silent-apps"><h2 id="silent-apps">Not paired yet</h2><p class="hint">These apps have not answered. Each is paired once it does.</p><ul class="rows">\(each: silent, { appRow($0, style) })</ul></section>
            """)<p class="more"><a class="button quiet" href="/signer/connect">Connect another app</a></p>
        """)
        </div>
        """
}

private func appRow(_ app: AppItem, _ style: NoteStyle) -> HTML {
    """
    <li><a class="row" href="\(appPath(app.word))">\(appMark(app))<span class="row-words"><span class="name">\(app.title)</span>\(appHint(app))</span><span class="counts"><span class="trust is-\(app.trust)">\(app.trustTitle) trust</span><span>\(some: app.lastSeen, { "seen \(moment($0, now: style.now))" })\(if: app.lastSeen == nil, "never seen")</span></span></a></li>

    """
}
