internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Who may come into a circle, and how.
struct CircleInvitations {
    let frame: CirclePageFrame
    /// What lets others ask to join; `nil` for those who may not invite.
    var invite: CircleInviteItem?
    /// Who is to be let in, if an admin says so; several where a name means several.
    var newcomers: [PersonItem] = []
    /// The web page that a link for browsers leads over; empty for none.
    var page = ""
    /// What was pasted to add somebody.
    var pasted = ""
}

/// The page of who asks to join, and of letting people in.
func circleInvitationsView(_ invitations: CircleInvitations, head: HTML) -> HTML {
    let frame = invitations.frame
    return frame.page(
        "invitations", head: head,
        """
        \(if: invitations.newcomers.count == 1, "\(each: invitations.newcomers, { newcomerSection($0, frame) })", else: choiceSection(invitations.newcomers, frame))
        \(if: !frame.state.requests.isEmpty, requestsSection(frame))
        \(some: invitations.invite, { inviteSection($0, invitations) })
        \(if: invitations.invite != nil, addSection(invitations))
        \(if: invitations.invite == nil, "<p class=\"hint\">Only an admin of this circle can invite people and let them in.</p>")
        """)
}

/// Asks an admin about somebody whose key or link they were handed.
private func newcomerSection(_ person: PersonItem, _ frame: CirclePageFrame) -> HTML {
    """
    <section aria-labelledby="newcomer"><h2 id="newcomer">Add this person?</h2>\(frame.form("add", """
        \(hidden("person", person.key.hex))<p class="circle-person">\(avatar(person, .small, frame.style, isOwn: false, loading: .lazyPicture))<span class="circle-words"><b dir="auto">\(person.name)</b> <span class="hint"><code>\(person.key.npub)</code></span></span></p><p class="hint">Compare the key with the one they see: anybody can send such a link. They are asked before they are in.</p><p><button class="button">Add to \(frame.item.name)</button> <a class="button quiet" href="\(frame.path)/invitations">Cancel</a></p>
        """))</section>
    """
}

/// Asks an admin whom of several people of one name they mean.
private func choiceSection(_ people: [PersonItem], _ frame: CirclePageFrame) -> HTML {
    guard !people.isEmpty else { return "" }
    return """
        <section aria-labelledby="newcomers"><h2 id="newcomers">Whom do you mean?</h2><ul class="circle-people">\(each: people, { person in
            """
            <li class="circle-person">\(avatar(person, .small, frame.style, isOwn: false, loading: .lazyPicture))<span class="circle-words"><a href="\(frame.path)/invitations?add=\(person.key.npub)"><b dir="auto">\(person.name)</b></a> <span class="hint"><code>\(person.key.npub)</code></span></span></li>
            """
        })</ul></section>
        """
}

private func addSection(_ invitations: CircleInvitations) -> HTML {
    """
    <section aria-labelledby="add"><h2 id="add">Add somebody by key or name</h2><form class="circle-form" method="get" action="\(invitations.frame.path)/invitations"><div class="field"><label for="newcomer-key">Their npub, a name such as ada@example.com, or somebody you follow</label><input id="newcomer-key" name="add" value="\(invitations.pasted)" required autocomplete="off" spellcheck="false"></div><p class="hint">The link they gave you goes here, too. A name with @ is looked up at its domain, which learns that you asked. They must have said that others may invite them; else send them the link above.</p><p><button class="button quiet small">Look up</button></p></form></section>
    """
}

/// Who asks to join, for an admin to decide; people who are muted stand folded.
func requestsSection(_ frame: CirclePageFrame) -> HTML {
    let (muted, others) = (frame.state.requests.filter(\.isMuted), frame.state.requests.filter { !$0.isMuted })
    return """
        <section aria-labelledby="asking"><h2 id="asking">Asking to join</h2>\(if: !others.isEmpty, requestsForm(others, frame))\(if: !muted.isEmpty, "<details><summary>\(CircleWords.mutedRequests(muted.count))</summary>\(requestsForm(muted, frame))</details>")</section>
        """
}

/// Nobody who is muted is let in by a press of a button for all.
private func requestsForm(_ requests: [CircleRequestItem], _ frame: CirclePageFrame) -> HTML {
    """
    <form class="circle-people" method="post" action="\(frame.path)/admit">\(frame.token.field)\(each: requests, { request in
        """
        <p class="circle-person"><label class="circle-words"><input type="checkbox" name="person_\(request.person.key.hex)" value="1"\(flag: "checked", if: !request.isMuted)> <b dir="auto">\(request.person.name)</b>\(if: !request.name.isEmpty && request.name != request.person.name, " who calls themselves <span dir=\"auto\">\(request.name)</span>")\(if: request.isReadmission, " <span class=\"hint\">is a member who is not up to date</span>")</label></p>
        """
    })<p><button class="button">Let them in</button> <button class="button quiet" formaction="\(frame.path)/refuse">No</button></p></form>
    """
}

private func inviteSection(_ invite: CircleInviteItem, _ invitations: CircleInvitations) -> HTML {
    let frame = invitations.frame
    return """
        <section aria-labelledby="invite"><h2 id="invite">Let somebody ask to join</h2><p>Show this code, or send the link. It lets nobody in by itself: you see who asks.</p><div class="circle-code">\(qrCode(invite.code, title: "Code of an invitation to \(frame.item.name)"))</div><div class="field"><label for="link">Link</label><textarea id="link" rows="3" readonly spellcheck="false">\(invite.link)</textarea></div><p><button class="button quiet small" type="button" data-copy="link" hidden>Copy</button></p>
        <details\(flag: "open", if: invite.webLink != nil)><summary>A link for a browser</summary><form class="circle-form" method="get" action="\(frame.path)/invitations"><div class="field"><label for="web-page">Web page it leads over</label><input id="web-page" name="page" type="url" value="\(invitations.page)" placeholder="https://" required autocomplete="off"></div><p class="hint">Linnet’s page for new circles on an address others can reach, or any page that hands the code on. The code stands behind #, which browsers send to no server.</p><p><button class="button quiet small">Make the link</button></p></form>\(some: invite.webLink, { link in
            """
            <div class="circle-code">\(qrCode(link, title: "Link of an invitation to \(frame.item.name)"))</div><div class="field"><label for="web-link">Link for a browser</label><textarea id="web-link" rows="4" readonly spellcheck="false">\(link)</textarea></div><p><button class="button quiet small" type="button" data-copy="web-link" hidden>Copy</button></p>
            """
        })</details></section>
        """
}
