internal import NostrCore
internal import ViewModels

/// The main column of the page of who follows somebody.
func followersView(_ page: FollowersPage, own: PublicKey, _ style: NoteStyle) -> HTML {
    """
    <div class="head"><h1>\(page.title)</h1></div>
    <p class="list-lead">\(page.lead) \(page.hint)</p>
    <p class="list-lead"><a href="\("/people/\(page.person.key)" as Path)">Back to \(page.person.name)</a></p>
    \(if: !page.people.isEmpty, "<ul class=\"people-list\">\(each: page.people, { personRow($0, isOwn: $0.key == own, style) })</ul>")
    """
}
