internal import Mustache
internal import NostrCore
internal import ViewModels

/// How notes are to be drawn for one answer.
struct NoteStyle: Sendable {
    let now: Timestamp
    let media: Settings.RemoteMedia
    /// Where pictures may come from even when settings load none.
    let pictureHosts: [String]
    let canSign: Bool
    /// Where the pictures of this program lie.
    let assets: String
    /// Whether one can mute, keep and pin.
    var hasMenus = false
    /// Where the pictures lie here that people show in the circle at hand; they go before all others.
    var shown: [PublicKey: String] = [:]

    /// Whether something of a person's may be loaded from an address elsewhere.
    func loads(_ address: String, of person: PersonItem, own: Bool) -> Bool {
        if pictureHosts.contains(where: { address.hasPrefix($0 + "/") }) { return media != .never }
        guard address.hasPrefix("https://") else { return false }
        switch media {
        case .never: return false
        case .follows: return person.isFollowed || own
        case .always: return true
        }
    }
}

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
