internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// A person's page, above their notes.
struct PersonView {
    let person: PersonItem
    let isOwn: Bool
    let canSign: Bool
    /// Whether the account can mute, and has sets to put people in.
    let hasLists: Bool
    let isMuted: Bool
    /// Whether what a muted person says of themselves is shown, since their reader asked for it.
    let isUnveiled: Bool
    /// Whether what is stored of them can be deleted from this machine.
    let canRemoveCopies: Bool
    /// What stands on it beside notes.
    let showcase: ShowcaseItem
    let sets: [PersonMarks.Membership]
    /// Whether answers are listed among the notes.
    let withReplies: Bool
    /// The address of this page, to come back to.
    let path: Path
    let token: FormToken
    let style: NoteStyle
    /// What people the account follows reported them for.
    let reports: [ReportLine]
    /// How much of what relays hold of them is here; `nil` where that is not known.
    let completeness: CompletenessItem?

    fileprivate var key: String { person.key.hex }
    /// The address of this person, whatever is listed.
    fileprivate var page: Path { "/people/\(person.key)" }
    fileprivate var back: HTML { "\(token.field)\(hidden("back", path.text))" }
}

/// The main column of a person's page.
func personView(_ view: PersonView, _ list: HTML) -> HTML {
    let person = view.person
    let banner = person.banner.flatMap { view.style.loads($0, of: person, own: view.isOwn) ? ForeignURL($0) : nil }
    let drawsEmoji = { (address: String) in view.style.loads(address, of: person, own: view.isOwn) }
    let answers = view.page.with("with", "answers")
    return """
        <div class="banner">\(some: banner, { "<img src=\"\(view.style.source($0, .wide))\" alt=\"\">" })</div>
        <section class="person" aria-labelledby="person-name">
        \(avatar(person, .large, view.style, isOwn: view.isOwn))
        \(personActs(view))
        <h1 id="person-name">\(richText(person.nameParts, view.style, drawsEmoji: drawsEmoji))\(if: view.isMuted, " <span class=\"chip\">Muted</span>")</h1>
        <p class="handle">\(handleView(person))</p>
        \(if: view.isMuted, mutedLine(view))
        \(if: view.isMuted && view.canRemoveCopies, storedCopies(view))
        \(some: person.address, { addressView($0, view) })
        \(each: view.showcase.statuses, { statusLine($0, view.style, drawsEmoji: drawsEmoji) })
        \(some: person.payAddress, payAddressView)
        \(if: !person.about.isEmpty, "<div class=\"about note-text\" dir=\"auto\">\(richText(person.aboutParts, view.style, drawsEmoji: drawsEmoji))</div>")
        <p class="person-facts">\(some: person.website, { "<span>\(icon(.link))\(linkOut($0))</span>" })\(some: person.followingCount, { "<span>Follows \(spoken(count: $0))</span>" })<span><a href="\(view.page)/followers">Who follows \(if: view.isOwn, "you", else: "them")</a></span></p>
        \(completenessLine(view.isMuted ? nil : view.completeness, now: view.style.now))
        </section>
        \(reportsView(view.reports))
        \(if: view.hasLists && view.isOwn, statusForm(view.token))
        \(if: !view.withReplies && !view.showcase.pinned.isEmpty, pinnedNotes(view))
        <nav class="tabs" aria-label="Notes of \(person.name)"><a href="\(view.page)"\(currentPage(!view.withReplies))>Notes</a><a href="\(answers)"\(currentPage(view.withReplies))>Notes and replies</a></nav>
        \(list)
        """
}

/// Says that a person is muted, and leads to what they say of themselves.
private func mutedLine(_ view: PersonView) -> HTML {
    if view.isUnveiled { return unveiledLine("You muted this person.", back: view.page) }
    let shown = view.page.with("show", "1")
    return """
        <p class="hidden-note">\(icon(.mute))<span>You muted this person.</span> <a class="button quiet small" rel="nofollow" href="\(shown)">Show their profile</a></p>
        """
}

/// Deletes what this machine stores of somebody who is muted.
private func storedCopies(_ view: PersonView) -> HTML {
    if view.person.isFollowed {
        return """
            <p class="hidden-note"><span>What they wrote may be stored on this machine. To delete it here, unfollow them first.</span></p>
            """
    }
    return """
        <form class="hidden-note" method="post" action="\(view.page)/forget">\(view.token.field)<span>What they wrote may be stored on this machine.</span> <button class="button quiet small">Delete it here</button></form>
        """
}

/// In the place of the notes of somebody who is muted.
let mutedNotes = emptyState(
    title: "Their notes are hidden", "<p>You muted this person. Unmute them to read what they write.</p>")

/// The Nostr address a person claims, how it stands, and a way to ask the domain again.
private func addressView(_ address: AddressItem, _ view: PersonView) -> HTML {
    """
    <div class="address\(if: address.isDenied, " is-denied")"><span>\(if: !address.isChecked, "<span class=\"claim\">\(address.text)</span> ")<span class="hint">\(address.words)</span></span><form method="post" action="\(view.page)/check-name">\(view.back)<button class="button quiet small" aria-label="Check the address again">Check again</button></form></div>
    """
}

private func personActs(_ view: PersonView) -> HTML {
    let message: Path = "/messages/new?to=\(view.person.key)"
    return """
        <div class="person-acts">
        \(if: view.isOwn, "<a class=\"button quiet\" href=\"/profile/edit\">Edit profile</a>")
        \(if: view.canSign, "<a class=\"button quiet\" href=\"\(message)\">Message</a>")
        \(if: view.canSign && !view.isOwn, followForm(view))
        \(if: view.hasLists && !view.isOwn, personMenu(view))
        </div>
        """
}

private func followForm(_ view: PersonView) -> HTML {
    let isFollowed = view.person.isFollowed
    let action: Path = isFollowed ? "\(view.page)/unfollow" : "\(view.page)/follow"
    return """
        <form method="post" action="\(action)">\(view.back)<button class="button\(if: isFollowed, " quiet")" aria-pressed="\(truth(isFollowed))">\(if: isFollowed, "Following", else: "Follow")</button></form>
        """
}

private func personMenu(_ view: PersonView) -> HTML {
    let mute: Path = view.isMuted ? "\(view.page)/mute/off" : "\(view.page)/mute/on"
    return """
        <details class="menu"><summary class="button quiet" aria-label="More for \(view.person.name)">\(icon(.more))</summary><div class="menu-body">
        <form method="post" action="\(mute)">\(view.back)<button class="drawer-item">\(icon(.mute))<span class="drawer-name">\(if: view.isMuted, "Unmute", else: "Mute") \(view.person.name)</span></button></form>
        <a class="drawer-item" href="\(view.page)/report">\(icon(.alert))<span class="drawer-name">Report…</span></a>
        \(each: view.sets, { setForm($0, view) })
        <a class="drawer-item" href="/lists">\(icon(.list))<span class="drawer-name">Lists</span></a>
        </div></details>
        """
}

private func setForm(_ set: PersonMarks.Membership, _ view: PersonView) -> HTML {
    let action: Path = set.isMember ? "\(view.page)/set/off" : "\(view.page)/set/on"
    return """
        <form method="post" action="\(action)">\(view.back)\(hidden("d", set.identifier))<button class="drawer-item">\(icon(set.isMember ? .check : .plus))<span class="drawer-name">\(if: set.isMember, "In “\(set.title)”: take out", else: "Add to “\(set.title)”")</span></button></form>
        """
}

/// Says what the account's owner is doing now (NIP-38).
private func statusForm(_ token: FormToken) -> HTML {
    """
    <details class="status-form"><summary>Set a status</summary><form method="post" action="/status">\(token.field)<div class="field"><label for="status-type">About</label><select id="status-type" name="type"><option value="general">What you do</option><option value="music">What you listen to</option></select></div><div class="field"><label for="status">Status</label><input id="status" name="status" maxlength="140" autocomplete="off" placeholder="Walking in the hills"></div><div class="field"><label for="status-link">Link (optional)</label><input id="status-link" name="link" type="url" placeholder="https://…" autocomplete="off"></div><div class="field"><label for="lasts">How long</label><select id="lasts" name="lasts">\(each: StatusSpan.allCases, {
        "<option value=\"\($0.rawValue)\">\($0.label)</option>"
    })</select></div><p class="sheet-end"><button class="button small">Set status</button><button class="button quiet small" name="do" value="clear">Clear status</button></p></form></details>
    """
}

/// What stands beside a person's page: their key and relays.
func personAside(_ person: PersonItem, _ showcase: ShowcaseItem) -> HTML {
    let list = { (relays: [String]) -> HTML in
        "<ul class=\"plain\">\(each: relays, { "<li>\($0)</li>" })</ul>"
    }
    return """
        <section class="side"><h2>Public key</h2><p class="npub">\(person.key.npub)</p></section>
        <section class="side"><h2>Publishes on</h2>\(if: person.writeRelays.isEmpty && person.readRelays.isEmpty, "<p>No relay list found so far.</p>", else: "\(list(person.writeRelays))<h2>Reads on</h2>\(list(person.readRelays))")</section>
        \(if: !showcase.lists.isEmpty, sharedLists(showcase.lists))
        """
}
