internal import Mustache
internal import NostrCore
internal import ViewModels

/// A person for the templates.
struct PersonFields: MustacheParent {
    let person: PersonItem
    let style: NoteStyle
    let isOwn: Bool

    func child(named name: String) -> Any? {
        switch name {
        case "key": person.key.hex
        case "name": person.name
        case "handle": person.handle
        case "isFollowed": person.isFollowed
        case "isOwn": isOwn
        case "picture": picture
        case "hasPicture": !picture.isEmpty
        case "aboutHTML": richText(person.aboutParts, drawsMedia: false)
        case "hasAbout": !person.about.isEmpty
        default: nil
        }
    }

    private var picture: String {
        guard let picture = person.picture, style.loads(picture, of: person, own: isOwn) else { return "" }
        return picture
    }
}
