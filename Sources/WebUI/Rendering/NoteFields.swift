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

/// A note for the templates.
struct NoteFields: MustacheParent {
    let note: NoteItem
    let style: NoteStyle
    var depth = 0
    var isFocus = false
    var isCard = false
    var isInThread = false

    func child(named name: String) -> Any? {
        switch name {
        case "id": note.id.hex
        case "place": note.cursor.mark
        case "author": PersonFields(person: note.author, style: style, isOwn: note.isOwn)
        case "utc": utc(note.createdAt)
        case "when": spoken(note.createdAt, now: style.now)
        case "textHTML": richText(note.parts, cards: Set(note.quoted.keys), drawsMedia: loadsMedia)
        case "mediaHTML": mediaHTML(note, loads: loadsMedia, style: style)
        case "isLong": isLong
        case "isFocus": isFocus
        case "isCard": isCard
        case "depth": depth
        default: marks(name) ?? counts(name)
        }
    }

    private func marks(_ name: String) -> Any? {
        switch name {
        case "hasTitle": note.title != nil
        case "title": note.title ?? ""
        case "isWarned": note.warning != nil
        case "warning": note.warning ?? ""
        case "hasReason": !(note.warning ?? "").isEmpty
        case "isAnswer": note.replyTo != nil && !isInThread && !isFocus
        case "answered": note.replyTo?.hex ?? ""
        case "isRepost": note.repostedBy != nil
        case "reposter": note.repostedBy.map { PersonFields(person: $0, style: style, isOwn: false) }
        case "cards":
            note.quotedInOrder.map { NoteFields(note: $0, style: style, isCard: true) }
        case "isOwn": note.isOwn
        case "canSign": style.canSign
        default: nil
        }
    }

    private func counts(_ name: String) -> Any? {
        switch name {
        case "replies": spokenCount(note.replies)
        case "reposts": spokenCount(note.reposts)
        case "reactions": spokenCount(note.reactions)
        case "isLiked": note.ownReaction != nil
        case "isReposted": note.isRepostedByMe
        case "hasDelivery": note.delivery != nil
        case "accepted": note.delivery?.accepted ?? 0
        case "asked": note.delivery?.asked ?? 0
        case "isDelivered": note.delivery.map { $0.accepted > 0 } ?? false
        default: nil
        }
    }

    private var loadsMedia: (String) -> Bool {
        { style.loads($0, of: note.author, own: note.isOwn) }
    }

    private var isLong: Bool {
        !isFocus && note.parts.reduce(0) { $0 + $1.length } > 900
    }

    private func spokenCount(_ count: Int) -> String { count == 0 ? "" : spoken(count: count) }
}
