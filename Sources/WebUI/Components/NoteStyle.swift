internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// How notes are to be drawn for one answer.
struct NoteStyle: Sendable {
    let now: Timestamp
    let media: PersonalSettings.RemoteMedia
    /// Where pictures may come from even when settings load none.
    let pictureHosts: [String]
    let canSign: Bool
    /// Whether pictures of others come by way of this program.
    var fetchesPictures = false
    /// Whether films and sounds of others come by way of this program.
    var playsRecordings = false
    /// Where events of kinds that are not shown here are opened, to which their code is added; empty for nowhere.
    var kindHandler = ""
    /// Whether the reader can mute, keep and pin.
    var hasMenus = false
    /// Whether how a poll stands is shown only after a vote, or when it has ended.
    var hidesPollResults = true
    /// Whether short films begin by themselves, without their sound.
    var autoplays = false
    /// Where the pictures lie here that people show in the circle at hand; they go before all others.
    var shown: [PublicKey: Path] = [:]
    /// Whose links are previewed, and by what; `nil` for nobody's.
    var previews: PreviewStyle?

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

    /// Whether something of the account's own choice, such as an emoji of its packs, may be loaded from an address elsewhere.
    func loadsOwn(_ address: String) -> Bool {
        if pictureHosts.contains(where: { address.hasPrefix($0 + "/") }) { return media != .never }
        return media != .never && address.hasPrefix("https://")
    }

    /// Where a person's picture lies: the one they show in the circle at hand, else their own where settings load it.
    ///
    /// - Parameter side: how large it is shown.
    func picture(of person: PersonItem, isOwn: Bool, side: Int) -> HTML? {
        if let here = shown[person.key] { return "\(here)" }
        guard let picture = person.picture, loads(picture, of: person, own: isOwn) else { return nil }
        return ForeignURL(picture).map { source($0, side * 2 > PictureSize.small.longest ? .large : .small) }
    }

    /// Where a browser gets a picture that settings load: at its address, or here where the person chose that.
    func source(_ url: ForeignURL, _ size: PictureSize) -> HTML {
        if let path = path(of: url, size) { return "\(path)" }
        return "\(url: url)"
    }

    /// Where this program gives a picture out that it fetches; `nil` where browsers do that themselves.
    ///
    /// - Parameter hash: what its author says the file is; nothing else is given out then.
    func path(of url: ForeignURL, _ size: PictureSize, hash: BlobHash? = nil) -> Path? {
        guard fetchesPictures else { return nil }
        let path: Path = "/picture/\(size.rawValue)?url=\(url.text)"
        return hash.map { path.with("x", $0.hex) } ?? path
    }

    /// Where this program hands on a film or sound that settings load; `nil` where browsers fetch it themselves.
    ///
    /// - Parameter hash: what its author says the file is; another is not handed on a second time.
    func recordingPath(of url: ForeignURL, hash: BlobHash? = nil) -> Path? {
        guard playsRecordings, loadsSomewhere(url.text) else { return nil }
        let path: Path = "/recording?url=\(url.text)"
        return hash.map { path.with("x", $0.hex) } ?? path
    }

    /// Whether an address is one that pictures of some people are loaded from.
    func loadsSomewhere(_ address: String) -> Bool {
        media != .never
            && (address.hasPrefix("https://") || pictureHosts.contains { address.hasPrefix($0 + "/") })
    }
}
