internal import NostrCore
internal import ViewModels

/// How notes are to be drawn for one answer.
struct NoteStyle: Sendable {
    let now: Timestamp
    let media: PersonalSettings.RemoteMedia
    /// Where pictures may come from even when settings load none.
    let pictureHosts: [String]
    let canSign: Bool
    /// Whether one can mute, keep and pin.
    var hasMenus = false
    /// Where the pictures lie here that people show in the circle at hand; they go before all others.
    var shown: [PublicKey: Path] = [:]

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

    /// Where a person's picture lies: the one they show in the circle at hand, else their own where settings load it.
    func picture(of person: PersonItem, isOwn: Bool) -> HTML? {
        if let here = shown[person.key] { return "\(here)" }
        guard let picture = person.picture, loads(picture, of: person, own: isOwn) else { return nil }
        return ForeignURL(picture).map { "\(url: $0)" }
    }
}
