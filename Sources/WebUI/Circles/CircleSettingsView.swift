internal import NostrCore
internal import ViewModels

/// What is chosen for a circle, and how it goes.
struct CircleSettingsPage {
    let frame: CirclePageFrame
    /// The page of guests at the address that this browser uses.
    let guestPage: String
    /// What was chosen; `nil` for those who are out of it.
    var settings: CircleSettingsItem?
    /// How the circle goes on; `nil` for those who are out of it.
    var health: CircleHealthItem?
}

/// The page of a circle's settings.
func circleSettingsView(_ page: CircleSettingsPage, head: HTML) -> HTML {
    let frame = page.frame
    return frame.page(
        "settings", head: head,
        """
        \(some: page.settings, { sharingSection($0.sharing, frame) })
        \(some: page.settings, { guestsSection($0, page.guestPage, frame) })
        \(if: frame.item.isMember, nicknameSection(frame))
        \(if: frame.item.isMember, avatarSection(frame))
        \(if: frame.item.isMember && frame.item.isAdmin, circleSection(frame))
        \(some: page.settings, { keysSection($0, frame) })
        \(if: frame.item.isMember, healthSection(page))
        \(if: !frame.item.isOver, endSection(frame))
        """)
}

private func sharingSection(_ sharing: SharingItem, _ frame: CirclePageFrame) -> HTML {
    """
    <section aria-labelledby="place"><h2 id="place">Your location</h2>\(if: sharing.isOn, "<p>\(if: sharing.isResting, "Location sharing is paused.", else: "Location sharing is on.") <a href=\"\(frame.path)/map\">On the map you can pause or stop it.</a></p>", else: "<p>You are not sharing your location with this circle. <a href=\"\(frame.path)/map\">Begin on the map.</a></p>")\(frame.form("sharing", """
        \(sharingChoices(sharing))
        \(choice("low_power", "Save battery", "Looks for your location and sends it four times less often.", sharing.isLowPower))
        \(choice("trail", "Send what was missed", "Places that could not be sent follow once there is a network; else only the newest does.", sharing.keepsTrail))
        \(choice("why", "Say why there is nothing newer", "The circle is told that you paused, or that this device does not know where it is.", sharing.tellsWhy))
        <div class="field"><label for="battery">Low battery: tell the circle at once, and me</label><select id="battery" name="battery">\(option("", PlaceWords.lowBattery(nil), isChosen: sharing.lowBattery == nil))\(each: Set(SharingItem.lowBatteries + [sharing.lowBattery].compactMap(\.self)).sorted(), { percent in
            option(String(percent), PlaceWords.lowBattery(percent), isChosen: percent == sharing.lowBattery)
        })</select></div><p><button class="button small">Save</button></p>
        """))</section>
    """
}

private func choice(_ name: StaticString, _ label: HTML, _ hint: HTML, _ isOn: Bool) -> HTML {
    var html: HTML = "<p><label class=\"check\"><input type=\"checkbox\" value=\"1\" name=\""
    html.append(literal: name)
    html.append("\"\(flag: "checked", if: isOn)><span>\(label)</span></label> <span class=\"hint\">\(hint)</span></p>")
    return html
}

private func keysSection(_ settings: CircleSettingsItem, _ frame: CirclePageFrame) -> HTML {
    let days = Set(CircleSettingsItem.renewals + [settings.renewalDays]).sorted()
    return """
        <section aria-labelledby="keys"><h2 id="keys">Your keys in this circle</h2>\(frame.form("renewal", """
            <div class="field"><label for="renewal">Renew them</label><select id="renewal" name="days">\(each: days, { day in
                option(String(day), PlaceWords.renewal(day), isChosen: day == settings.renewalDays)
            })</select></div><p class="hint">After a renewal, anyone who once got hold of your keys cannot read what comes later.</p><p><button class="button quiet small">Save</button></p>
            """))</section>
        """
}

private func nicknameSection(_ frame: CirclePageFrame) -> HTML {
    let nickname = frame.own.map { $0.name == $0.person.name ? "" : $0.name } ?? ""
    return """
        <section aria-labelledby="yours"><h2 id="yours">What the others call you</h2>\(frame.form("nickname", """
            <div class="field"><label class="visually-hidden" for="nickname">Your name in this circle</label><input id="nickname" name="nickname" value="\(nickname)" maxlength="64" autocomplete="off"></div><p><button class="button quiet small">Save</button></p>
            """))</section>
        """
}

private func healthSection(_ page: CircleSettingsPage) -> HTML {
    """
    <section aria-labelledby="health"><h2 id="health">Health</h2>\(some: page.health, { healthFacts($0, page.frame.style) })\(page.frame.form("resync", "<button class=\"button quiet small\">Ask relays for everything again</button>"))</section>
    """
}

private func healthFacts(_ health: CircleHealthItem, _ style: NoteStyle) -> HTML {
    """
    <dl class="circle-facts"><dt>State</dt><dd>\(health.progress)</dd><dt>Fingerprint</dt><dd><code>\(health.fingerprint)</code> is the same for every member who is up to date</dd><dt>Waiting</dt><dd>\(health.waiting) to be read, \(health.unsent) to be sent, \(health.pending) \(if: health.pending == 1, "change", else: "changes")</dd>\(if: health.unopened > 0, "<dt>Not readable</dt><dd>\(health.unopened); anybody can post such to the circle's relays</dd>")\(each: health.relays, { relay in
        "<dt>Relay</dt><dd>\(relay.relay) \(if: relay.isConnected, "(connected)", else: "(not connected)")</dd>"
    })</dl>\(if: !health.troubles.isEmpty, "<ul>\(each: health.troubles.prefix(5), { troubleView($0, style) })</ul>")
    """
}

private func troubleView(_ trouble: CircleHealthItem.Mishap, _ style: NoteStyle) -> HTML {
    "<li class=\"hint\">\(moment(trouble.at, now: style.now)): \(trouble.sentence)</li>"
}

private func endSection(_ frame: CirclePageFrame) -> HTML {
    let item = frame.item
    return """
        <section aria-labelledby="end"><h2 id="end">\(if: item.isMember, "Leave", else: "Forget")</h2>\(frame.form("leave", """
            \(if: item.isMember, """
                \(if: item.isAdmin, handover(frame))<p><button class="button quiet small">Leave this circle</button></p><p><a href="\(frame.path)/burn">\(if: item.isAdmin, "End this circle for everybody …", else: "Leave and wipe everything here …")</a></p>
                """, else: """
                <p class="hint">All of it is deleted from this machine.</p><p><button class="button quiet small" formaction="\(frame.path)/forget">Forget this circle</button></p>
                """)
            """))</section>
        """
}

// MARK: Pictures

private func avatarSection(_ frame: CirclePageFrame) -> HTML {
    """
    <section aria-labelledby="avatar"><h2 id="avatar">Your picture in this circle</h2><form class="circle-picture" method="post" action="\(frame.path)/avatar" enctype="multipart/form-data" data-picture>\(frame.token.field)<div class="picture-now" data-picture-now>\(some: frame.own, { avatar($0.person, .large, frame.style, isOwn: true, loading: .lazyPicture) })</div><div class="field"><label for="avatar-file">Choose a picture</label><input id="avatar-file" type="file" name="file" accept="image/*" required aria-describedby="avatar-hint"><p class="hint" id="avatar-hint" data-scripted-words="A small square is cut out of it here; where and when a photo was taken is not sent. Only this circle sees it.">A JPEG of at most 128 by 128 pixels and 12 KB. Where and when a photo was taken is cut off before it is sent.</p></div><p class="problem" role="alert" data-picture-problem hidden></p><p><button class="button quiet small">Show it to the circle</button>\(if: frame.own?.picture != nil, " <button class=\"button quiet small\" name=\"none\" value=\"1\" formnovalidate>Take it back</button>")</p></form></section>
    """
}

private func circleSection(_ frame: CirclePageFrame) -> HTML {
    """
    <section aria-labelledby="called"><h2 id="called">The circle</h2>\(frame.form("rename", """
        <div class="field"><label for="name">What it is called</label><input id="name" name="name" value="\(frame.item.name)" maxlength="80" required autocomplete="off"></div><p><button class="button quiet small">Rename</button></p>
        """))<form class="circle-picture" method="post" action="\(frame.path)/picture" enctype="multipart/form-data" data-picture>\(frame.token.field)<div class="picture-now" data-picture-now>\(circlePicture(frame.item, frame.style))</div><div class="field"><label for="picture-file">A picture of the circle</label><input id="picture-file" type="file" name="file" accept="image/*" required aria-describedby="picture-hint"><p class="hint" id="picture-hint" data-scripted-words="A small square is cut out of it here; where and when a photo was taken is not sent.">A JPEG of at most 128 by 128 pixels and 12 KB.</p></div>\(choice("everywhere", "Also for members with other programs", "It is put on your media server, encrypted, so that programs such as White Noise show it too.", false))<p class="problem" role="alert" data-picture-problem hidden></p><p><button class="button quiet small">Set picture</button>\(if: frame.item.picture != nil, " <button class=\"button quiet small\" name=\"none\" value=\"1\" formnovalidate>Take it away</button>")</p></form></section>
    """
}

/// Who is an admin hands over first: nobody is let go who is one, and a circle without an admin stays as it is.
private func handover(_ frame: CirclePageFrame) -> HTML {
    let others = frame.state.members.filter { !$0.isOwn }
    guard !others.isEmpty else { return HTML() }
    let chosen = others.first(where: \.isAdmin) ?? others.first
    return """
        <p class="hint">You are an admin. Before you leave, hand that over; the circle needs somebody who lets people in.</p><div class="field"><label for="successor">Admin after you</label><select id="successor" name="person">\(each: others, { option($0.person.key.hex, $0.name, isChosen: $0.id == chosen?.id) })</select></div><p><button class="button quiet small" formaction="\(frame.path)/handover">Hand over</button></p>
        """
}
