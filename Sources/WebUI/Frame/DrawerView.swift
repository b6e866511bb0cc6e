internal import NostrCore

/// The accounts of this machine and what does not fit the navigation.
func drawerView(_ drawer: Drawer, beside navigation: Navigation, _ token: FormToken, _ style: NoteStyle) -> HTML {
    """
    <nav id="drawer" class="drawer" popover aria-label="Accounts and more">
    <h2>Accounts on this machine</h2>
    <ul class="drawer-accounts">
    \(each: drawer.accounts, { $0.isCurrent ? openAccount($0, style) : otherAccount($0, token, style) })
    </ul>
    <ul class="drawer-more">
    \(drawerItem("/welcome", .plus, "Add an account"))
    \(if: drawer.canLock, "<li><form method=\"post\" action=\"/lock\">\(token.field)<button class=\"drawer-item\">\(icon(.lock))<span class=\"drawer-name\">Lock now</span></button></form></li>")
    </ul>
    <ul class="drawer-more">
    \(if: navigation.hasCircles, drawerItem("/search", .search, "Search", isNarrowOnly: true))
    \(if: navigation.waiting != nil, drawerItem("/signer", .seal, "Signer", isNarrowOnly: true))
    \(if: drawer.hasLists, "\(drawerItem("/lists", .list, "Lists"))\n\(drawerItem("/drafts", .draft, "Drafts"))")
    \(if: drawer.hasFiles, drawerItem("/files", .file, "My files"))
    \(drawerItem("/streams", .play, "Live streams"))
    \(if: drawer.hasHistory, drawerItem("/history", .clock, "Time machine"))
    \(if: drawer.hasKeys, drawerItem("/keys", .key, "Keys and backup"))
    \(drawerItem("/relays", .relays, "Relays", isNarrowOnly: true))
    \(drawerItem("/settings", .settings, "Settings", isNarrowOnly: true))
    </ul>
    </nav>
    """
}

private func drawerItem(_ path: Path, _ icon: Icon, _ words: HTML, isNarrowOnly: Bool = false) -> HTML {
    """
    <li\(if: isNarrowOnly, " class=\"narrow-only\"")><a class="drawer-item" href="\(path)">\(WebUI.icon(icon))<span class="drawer-name">\(words)</span></a></li>
    """
}

private func openAccount(_ account: Drawer.Account, _ style: NoteStyle) -> HTML {
    let path: Path = "/people/\(account.key)"
    return """
        <li><a class="drawer-item is-current" href="\(path)" aria-current="true">\(avatar(account.key, account.person, .small, style, isOwn: true))<span class="drawer-name">\(account.name)</span>\(if: account.isLocked, icon(.lock, label: "locked"))\(kind(account))\(icon(.check, label: "open now"))</a></li>
        """
}

private func otherAccount(_ account: Drawer.Account, _ token: FormToken, _ style: NoteStyle) -> HTML {
    """
    <li><form method="post" action="/welcome/open">\(token.field)\(hidden("key", account.key.hex))<button class="drawer-item" aria-label="Switch to \(account.name)\(if: account.isLocked, ", locked")">\(avatar(account.key, account.person, .small, style, isOwn: true, loading: .lazy))<span class="drawer-name">\(account.name)</span>\(if: account.isLocked, icon(.lock))\(kind(account))</button></form></li>
    """
}

private func kind(_ account: Drawer.Account) -> HTML {
    account.kind.isEmpty ? HTML() : "<span class=\"handle\">\(account.kind)</span>"
}
