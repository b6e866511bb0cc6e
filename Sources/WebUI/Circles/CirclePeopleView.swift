internal import NostrCore
internal import ViewModels

/// The people of a circle, and what is done about it.
struct CirclePeoplePage {
    let state: CircleState
    let item: CircleItem
    let problem: String?
    let token: FormToken
    let style: NoteStyle
    /// What lets others ask to join; `nil` for those who may not invite.
    var invite: CircleInviteItem?
    /// How the circle goes on; `nil` for those who are out of it.
    var health: CircleHealthItem?

    fileprivate var path: Path { "/circles/\(item.word)" }
    fileprivate var own: CircleMemberItem? { state.members.first { $0.isOwn } }

    /// A form that posts an act on the circle.
    fileprivate func form(_ act: StaticString, _ body: HTML) -> HTML {
        var html: HTML = "<form method=\"post\" action=\"\(path)/"
        html.append(literal: act)
        html.append("\">\(token.field)\(body)</form>")
        return html
    }
}

/// The page of a circle's people.
func circlePeopleView(_ people: CirclePeoplePage, head: HTML) -> HTML {
    """
    <div class="talk">
    \(head)
    <div class="circle-page" data-circle-part="\(people.item.word)" data-path="\(people.path)/people">
    \(problemPlace(people.problem))
    \(if: !people.state.requests.isEmpty, requestsSection(people))
    \(membersSection(people))
    \(if: people.item.isMember, nicknameSection(people))
    \(if: people.item.isMember, avatarSection(people))
    \(some: people.invite, { inviteSection($0, people) })
    \(if: people.invite != nil, circleSection(people))
    \(if: people.item.isMember, healthSection(people))
    \(if: !people.item.isOver, endSection(people))
    </div>
    </div>
    """
}

private func requestsSection(_ people: CirclePeoplePage) -> HTML {
    """
    <section aria-labelledby="asking"><h2 id="asking">Asking to join</h2><form class="circle-people" method="post" action="\(people.path)/admit">\(people.token.field)\(each: people.state.requests, { request in
        """
        <p class="circle-person"><label class="circle-words"><input type="checkbox" name="person_\(request.person.key.hex)" value="1" checked> <b dir="auto">\(request.person.name)</b>\(if: !request.name.isEmpty && request.name != request.person.name, " who calls themselves <span dir=\"auto\">\(request.name)</span>")\(if: request.isReadmission, " <span class=\"hint\">is a member who is not up to date</span>")</label></p>
        """
    })<p><button class="button">Let them in</button> <button class="button quiet" formaction="\(people.path)/refuse">No</button></p></form></section>
    """
}

private func membersSection(_ people: CirclePeoplePage) -> HTML {
    """
    <section aria-labelledby="members"><h2 id="members">\(CircleWords.people(people.state.members.count)) in this circle</h2><ul class="circle-people">\(each: people.state.members, { memberView($0, people) })</ul></section>
    """
}

private func memberView(_ member: CircleMemberItem, _ people: CirclePeoplePage) -> HTML {
    let canChange = people.item.isAdmin && (!member.isOwn || member.isAdmin)
    return """
        <li class="circle-person">\(avatar(member.person, .small, people.style, isOwn: member.isOwn, loading: .lazyPicture))<span class="circle-words"><span class="name" dir="auto">\(member.name)</span>\(if: member.isOwn, " <span class=\"hint\">you</span>")\(if: member.isAdmin, " <span class=\"chip\">Admin</span>")\(if: member.isLeaving, " <span class=\"hint\">leaving</span>")\(if: !member.doubt.isEmpty, " <span class=\"chip\">\(member.doubt)</span>")</span>\(if: canChange, memberMenu(member, people))</li>
        """
}

private func memberMenu(_ member: CircleMemberItem, _ people: CirclePeoplePage) -> HTML {
    """
    <details class="menu"><summary aria-label="Change \(member.name)">\(icon(.more))</summary><form class="menu-body" method="post" action="\(people.path)/remove">\(people.token.field)\(hidden("person", member.person.key.hex))\(if: member.isAdmin, """
        <button class="button quiet small" formaction="\(people.path)/demote">Take admin away</button>
        """, else: """
        <button class="button quiet small" formaction="\(people.path)/promote">Make admin</button>
        """)<button class="button quiet small">Remove from the circle</button></form></details>
    """
}

private func nicknameSection(_ people: CirclePeoplePage) -> HTML {
    let nickname = people.own.map { $0.name == $0.person.name ? "" : $0.name } ?? ""
    return """
        <section aria-labelledby="yours"><h2 id="yours">What the others call you</h2>\(people.form("nickname", """
            <div class="field"><label class="visually-hidden" for="nickname">Your name in this circle</label><input id="nickname" name="nickname" value="\(nickname)" maxlength="64" autocomplete="off"></div><p><button class="button quiet small">Save</button></p>
            """))</section>
        """
}

private func inviteSection(_ invite: CircleInviteItem, _ people: CirclePeoplePage) -> HTML {
    """
    <section aria-labelledby="invite"><h2 id="invite">Let somebody ask to join</h2><p>Show this code, or send the link. It lets nobody in by itself: you see who asks.</p><div class="circle-code">\(qrCode(invite.code, title: "Code of an invitation to \(people.item.name)"))</div><div class="field"><label for="link">Link</label><textarea id="link" rows="3" readonly spellcheck="false">\(invite.link)</textarea></div><p><button class="button quiet small" type="button" data-copy="link" hidden>Copy</button></p></section>
    """
}

private func healthSection(_ people: CirclePeoplePage) -> HTML {
    """
    <section aria-labelledby="health"><h2 id="health">Health</h2>\(some: people.health, { healthFacts($0, people.style) })\(people.form("resync", "<button class=\"button quiet small\">Ask relays for everything again</button>"))</section>
    """
}

private func healthFacts(_ health: CircleHealthItem, _ style: NoteStyle) -> HTML {
    """
    <dl class="circle-facts"><dt>Up to date</dt><dd>\(if: health.isOutOfStep, "No", else: "Yes")</dd><dt>Fingerprint</dt><dd><code>\(health.fingerprint)</code> is the same for everybody who is up to date</dd><dt>Waiting</dt><dd>\(health.waiting) to be read, \(health.unsent) to be sent, \(health.pending) changes</dd>\(if: health.unopened > 0, "<dt>Not readable</dt><dd>\(health.unopened); anybody can post such to the circle's relays</dd>")\(each: health.relays, { relay in
        "<dt>Relay</dt><dd>\(relay.relay) \(if: relay.isConnected, "(connected)", else: "(not connected)")</dd>"
    })</dl>\(if: !health.troubles.isEmpty, "<ul>\(each: health.troubles.prefix(5), { troubleView($0, style) })</ul>")
    """
}

private func troubleView(_ trouble: CircleHealthItem.Mishap, _ style: NoteStyle) -> HTML {
    "<li class=\"hint\">\(moment(trouble.at, now: style.now)): \(trouble.sentence)</li>"
}

private func endSection(_ people: CirclePeoplePage) -> HTML {
    let item = people.item
    return """
        <section aria-labelledby="end"><h2 id="end">\(if: item.isMember, "Leave", else: "Forget")</h2>\(people.form("leave", """
            \(if: item.isMember, """
                \(if: item.isAdmin, "<p class=\"hint\">You are an admin: take that away from yourself first, if there is another.</p>")<p><button class="button quiet small">Leave this circle</button></p><p><a href="\(people.path)/burn">\(if: item.isAdmin, "End this circle for everybody …", else: "Leave and wipe everything here …")</a></p>
                """, else: """
                <p class="hint">All of it goes from this machine.</p><p><button class="button quiet small" formaction="\(people.path)/forget">Forget this circle</button></p>
                """)
            """))</section>
        """
}

// MARK: Pictures

private func avatarSection(_ people: CirclePeoplePage) -> HTML {
    """
    <section aria-labelledby="avatar"><h2 id="avatar">Your picture in this circle</h2><form class="circle-picture" method="post" action="\(people.path)/avatar" enctype="multipart/form-data" data-picture>\(people.token.field)<div class="picture-now" data-picture-now>\(some: people.own, { avatar($0.person, .large, people.style, isOwn: true, loading: .lazyPicture) })</div><div class="field"><label for="avatar-file">Choose a picture</label><input id="avatar-file" type="file" name="file" accept="image/*" required aria-describedby="avatar-hint"><p class="hint" id="avatar-hint" data-scripted-words="A small square is cut out of it here; where and when a photo was taken is not sent. Only this circle sees it.">A JPEG of at most 128 by 128 pixels and 12 KB. Where and when a photo was taken is cut off before it is sent.</p></div><p class="problem" role="alert" data-picture-problem hidden></p><p><button class="button quiet small">Show it to the circle</button>\(if: people.own?.picture != nil, " <button class=\"button quiet small\" name=\"none\" value=\"1\" formnovalidate>Take it back</button>")</p></form></section>
    """
}

private func circleSection(_ people: CirclePeoplePage) -> HTML {
    """
    <section aria-labelledby="called"><h2 id="called">The circle</h2>\(people.form("rename", """
        <div class="field"><label for="name">What it is called</label><input id="name" name="name" value="\(people.item.name)" maxlength="80" required autocomplete="off"></div><p><button class="button quiet small">Rename</button></p>
        """))<form class="circle-picture" method="post" action="\(people.path)/picture" enctype="multipart/form-data" data-picture>\(people.token.field)<div class="picture-now" data-picture-now>\(circlePicture(people.item, people.style))</div><div class="field"><label for="picture-file">A picture of the circle</label><input id="picture-file" type="file" name="file" accept="image/*" required aria-describedby="picture-hint"><p class="hint" id="picture-hint" data-scripted-words="A small square is cut out of it here; where and when a photo was taken is not sent.">A JPEG of at most 128 by 128 pixels and 12 KB.</p></div><p class="problem" role="alert" data-picture-problem hidden></p><p><button class="button quiet small">Set picture</button>\(if: people.item.picture != nil, " <button class=\"button quiet small\" name=\"none\" value=\"1\" formnovalidate>Take it away</button>")</p></form></section>
    """
}
