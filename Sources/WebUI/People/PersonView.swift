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
    let sets: [PersonMarks.Membership]
    /// Whether answers are listed among the notes.
    let withReplies: Bool
    /// The address of this page, to come back to.
    let path: Path
    let token: FormToken
    let style: NoteStyle

    fileprivate var key: String { person.key.hex }
    /// The address of this person, whatever is listed.
    fileprivate var page: Path { "/people/\(person.key)" }
    fileprivate var back: HTML { "\(token.field)\(hidden("back", path.text))" }
}

/// The main column of a person's page.
func personView(_ view: PersonView, _ list: HTML) -> HTML {
    let person = view.person
    let banner = person.banner.flatMap { view.style.loads($0, of: person, own: view.isOwn) ? ForeignURL($0) : nil }
    let answers = view.page.with("with", "answers")
    return """
        <div class="banner">\(some: banner, { "<img src=\"\(url: $0)\" alt=\"\">" })</div>
        <section class="person" aria-labelledby="person-name">
        \(avatar(person, .large, view.style, isOwn: view.isOwn))
        \(personActs(view))
        <h1 id="person-name">\(person.name)\(if: view.isMuted, " <span class=\"chip\">Muted</span>")</h1>
        <p class="handle">\(handleView(person))</p>
        \(some: person.address, { addressView($0, view) })
        \(some: person.payAddress, payAddressView)
        \(if: !person.about.isEmpty, "<div class=\"about note-text\" dir=\"auto\">\(richText(person.aboutParts, drawsMedia: false))</div>")
        <p class="person-facts">\(some: person.website, { "<span>\(icon(.link))\(linkOut($0))</span>" })\(some: person.followingCount, { "<span>Follows \(spoken(count: $0))</span>" })</p>
        </section>
        \(if: view.hasLists && view.isOwn, statusForm(view.token))
        <nav class="tabs" aria-label="Notes of \(person.name)"><a href="\(view.page)"\(currentPage(!view.withReplies))>Notes</a><a href="\(answers)"\(currentPage(view.withReplies))>Notes and replies</a></nav>
        \(list)
        """
}

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
    <details class="status-form"><summary>Set a status</summary><form method="post" action="/status">\(token.field)<div class="field"><label for="status">Status</label><input id="status" name="status" maxlength="140" autocomplete="off" placeholder="Walking in the hills"></div><div class="field"><label for="status-link">Link (optional)</label><input id="status-link" name="link" type="url" placeholder="https://…" autocomplete="off"></div><div class="field"><label for="lasts">How long</label><select id="lasts" name="lasts">\(each: StatusSpan.allCases, {
        "<option value=\"\($0.rawValue)\">\($0.label)</option>"
    })</select></div><p class="sheet-end"><button class="button small">Set status</button><button class="button quiet small" name="do" value="clear">Clear status</button></p></form></details>
    """
}

/// What stands beside a person's page: their key and relays.
func personAside(_ person: PersonItem) -> HTML {
    let list = { (relays: [String]) -> HTML in
        "<ul class=\"plain\">\(each: relays, { "<li>\($0)</li>" })</ul>"
    }
    return """
        <section class="side"><h2>Public key</h2><p class="npub">\(person.key.npub)</p></section>
        <section class="side"><h2>Publishes on</h2>\(if: person.writeRelays.isEmpty && person.readRelays.isEmpty, "<p>No relay list found so far.</p>", else: "\(list(person.writeRelays))<h2>Reads on</h2>\(list(person.readRelays))")</section>
        """
}
