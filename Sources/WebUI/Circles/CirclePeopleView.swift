internal import NostrCore
internal import ViewModels

/// What the pages about a circle share.
struct CirclePageFrame {
    let state: CircleState
    let item: CircleItem
    let problem: String?
    let token: FormToken
    let style: NoteStyle

    var path: Path { "/circles/\(item.word)" }
    var own: CircleMemberItem? { state.members.first { $0.isOwn } }

    /// A form that posts an act on the circle.
    func form(_ act: StaticString, _ body: HTML) -> HTML {
        var html: HTML = "<form class=\"circle-form\" method=\"post\" action=\"\(path)/"
        html.append(literal: act)
        html.append("\">\(token.field)\(body)</form>")
        return html
    }

    /// A page of it, which is drawn anew when the circle changes.
    func page(_ name: StaticString, head: HTML, _ body: HTML) -> HTML {
        var html: HTML = "<div class=\"talk\">\n\(head)\n"
        html.append(
            "<div class=\"circle-page\" data-circle-part=\"\(item.word)\" data-path=\"\(path)/")
        html.append(literal: name)
        html.append("\">\n\(problemPlace(problem))\n\(body)\n</div>\n</div>")
        return html
    }
}

/// The page of a circle's people, and of those who ask to be among them.
func circlePeopleView(_ people: CirclePageFrame, head: HTML) -> HTML {
    people.page(
        "people", head: head,
        """
        \(if: people.item.isAdmin && !people.state.requests.isEmpty, requestsSection(people))
        \(membersSection(people))
        """)
}

private func membersSection(_ people: CirclePageFrame) -> HTML {
    """
    <section aria-labelledby="members"><h2 id="members">\(CircleWords.people(people.state.members.count)) in this circle</h2><ul class="circle-people">\(each: people.state.members, { memberView($0, people) })</ul></section>
    """
}

private func memberView(_ member: CircleMemberItem, _ people: CirclePageFrame) -> HTML {
    let canChange = people.item.isAdmin && (!member.isOwn || member.isAdmin)
    return """
        <li class="circle-person">\(avatar(member.person, .small, people.style, isOwn: member.isOwn, loading: .lazyPicture))<span class="circle-words"><span class="name" dir="auto">\(member.name)</span>\(if: member.isOwn, " <span class=\"hint\">you</span>")\(if: member.isAdmin, " <span class=\"chip\">Admin</span>")\(if: member.isLeaving, " <span class=\"hint\">leaving</span>")\(if: member.isMuted, " <span class=\"chip\">Muted</span>")\(if: !member.doubt.isEmpty, " <span class=\"chip\">\(member.doubt)</span>")</span>\(if: canChange, memberMenu(member, people))</li>
        """
}

private func memberMenu(_ member: CircleMemberItem, _ people: CirclePageFrame) -> HTML {
    """
    <details class="menu"><summary aria-label="Change \(member.name)">\(icon(.more))</summary><form class="menu-body" method="post" action="\(people.path)/remove">\(people.token.field)\(hidden("person", member.person.key.hex))\(if: member.isAdmin, """
        <button class="button quiet small" formaction="\(people.path)/demote">Take admin away</button>
        """, else: """
        <button class="button quiet small" formaction="\(people.path)/promote">Make admin</button>
        """)<button class="button quiet small">Remove from the circle</button></form></details>
    """
}
