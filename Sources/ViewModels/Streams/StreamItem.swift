public import NostrClient
public import NostrCore
public import NostrNIPs

/// A live stream as a list or a page shows it: one property for each thing that is shown.
public struct StreamItem: Hashable, Sendable, Identifiable {
    /// Its `naddr`, as it stands in addresses.
    public let word: String
    /// Where it is found.
    public let address: EventAddress
    /// What it is called; never empty.
    public let title: String
    /// What it is about.
    public let summary: String
    /// How it stands.
    public let status: LiveActivity.Status
    /// How it stands, in a word.
    public let standing: String
    /// Who hosts it.
    public let host: PersonItem
    /// Whether the host is only said to be that.
    public let isHostClaimed: Bool
    /// Who published it, where that is somebody else.
    public let author: PersonItem?
    /// A picture, when it is an `http` or `https` address.
    public let picture: String?
    /// When it begins or began.
    public let starts: Timestamp?
    /// When it ended.
    public let ends: Timestamp?
    /// How many watch and how many chat, or watched in all, in words; empty where none of it is known.
    public let attendance: String
    /// Topics.
    public let hashtags: [String]
    /// Where it is watched, when that is an `http` or `https` address.
    public let film: StreamFilm?
    /// A page of the service that carries it, when it is an `http` or `https` address.
    public let service: String?

    public var id: String { word }

    /// Reads what a screen needs; `nil` for a stream that no address leads to.
    public init?(_ stream: LiveStream) {
        let activity = stream.activity
        let pointer = AddressPointer(address: activity.address, relays: Array(activity.relays.prefix(3)))
        word = StreamWord.word(of: pointer)
        guard !word.isEmpty else { return nil }
        address = activity.address
        let called = oneLine(activity.title ?? "", limit: 120)
        title = called.isEmpty ? StreamWords.untitled : called
        summary = oneLine(activity.summary ?? "", limit: 600)
        status = stream.status
        standing = StreamWords.standing(stream.status)
        host = PersonItem(stream.host)
        isHostClaimed = !stream.isHostConfirmed
        author = stream.author.key == stream.host.key ? nil : PersonItem(stream.author)
        picture = activity.image.flatMap(webAddress)
        starts = activity.starts
        ends = stream.status == .ended ? activity.ends ?? activity.updatedAt : nil
        attendance = StreamWords.attendance(
            viewers: activity.currentParticipants, total: activity.totalParticipants, chatters: stream.chatters,
            stream.status)
        hashtags = activity.hashtags.prefix(6).map { oneLine($0, limit: 40) }
        film = StreamFilm(activity, stream.status)
        service = activity.service.flatMap(webAddress)
    }
}

/// Where a stream is watched.
public struct StreamFilm: Hashable, Sendable {
    /// The address, `http` or `https`.
    public let address: String
    /// Whether it is what was recorded of a stream that has ended.
    public let isRecording: Bool
    /// Whether it is a playlist (HLS), which not every browser plays.
    public let isPlaylist: Bool

    /// Who learns of whoever plays it: a list of pieces leads to servers that nobody knows before.
    ///
    /// - Parameter isHandedOn: whether it comes by way of this program.
    public func whoSees(isHandedOn: Bool) -> String {
        isHandedOn ? StreamWords.seenByNobody : isPlaylist ? StreamWords.seenByThoseListed : StreamWords.seenByServer
    }

    /// Takes the address that fits how the stream stands; `nil` where there is none that a browser could open.
    init?(_ activity: LiveActivity, _ status: LiveActivity.Status) {
        let text: String?
        switch status {
        case .planned: return nil
        case .live: text = activity.streaming
        case .ended: text = activity.recording
        }
        guard let address = text.flatMap(webAddress) else { return nil }
        self.address = address
        isRecording = status == .ended
        let path = address.prefix { $0 != "?" && $0 != "#" }
        isPlaylist = path.lowercased().hasSuffix(".m3u8")
    }
}
