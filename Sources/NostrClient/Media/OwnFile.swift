public import NostrCore
public import NostrNIPs

/// A file of the account's own: on its way to media servers, or kept there.
public struct OwnFile: Hashable, Sendable, Codable {
    /// How it stands.
    public enum Standing: String, Hashable, Sendable, Codable {
        /// No server has it yet.
        case waiting
        /// At least one server has it.
        case stored
        /// No server took it; see ``places``.
        case failed
    }

    /// One server, and whether the file is there.
    public struct Place: Hashable, Sendable, Codable {
        /// How it stands there.
        public enum Standing: String, Hashable, Sendable, Codable {
            case waiting, there, failed
        }

        /// The server's address.
        public var address: String
        /// How it stands there.
        public var standing = Standing.waiting
        /// What the server said last, where it did not do it.
        public var refusal: ServerRefusal?
        /// How often it was asked.
        var attempts = 0
        /// When it is asked next, in seconds since 1970.
        var next: Int64 = 0

        init(_ server: MediaServer) { address = server.address }

        /// The server; `nil` for what another version wrote.
        public var server: MediaServer? { MediaServer(address) }
    }

    /// What a server keeps of it.
    public struct Stored: Hashable, Sendable, Codable {
        /// Where everybody gets it.
        public var url: String
        /// Its hash, in hex; another than the file's where the server made it smaller.
        public var hash: String
        /// Its length, in bytes.
        public var size: Int64
        /// Its MIME type.
        public var type: String
    }

    /// What it is called here; nobody can guess it.
    public let id: String
    /// What the file was called.
    public var name: String
    /// What can be seen or heard in it.
    public var description: String
    /// Its MIME type as it left this machine.
    public var type: String
    /// Its length then, in bytes.
    public var size: Int64
    /// Its hash then, in hex.
    public var hash: String
    /// Dots from left to right.
    public var width: Int?
    /// Dots from top to bottom.
    public var height: Int?
    /// How long it plays, in thousandths of a second.
    var milliseconds: Int64?
    /// What it looks like from far away, as BlurHash.
    public var blurhash: String?
    /// The same as ThumbHash.
    public var thumbhash: String?
    /// The file that shows a film before it plays; `nil` where there is none.
    var still: String?
    /// Where everybody gets that one; `nil` before a server has it.
    var stillAddress: String?
    /// Whether it is sealed: no file of the account's own pages, and forgotten once it is where it is to be.
    var isSealed: Bool?
    /// When it was added, in seconds since 1970.
    var added: Int64
    /// Whether no server has it yet, one has, or none took it.
    public internal(set) var standing = Standing.waiting
    /// Whether it failed because the signer did not sign for it.
    public internal(set) var isUnsigned = false
    /// The servers, the first to be asked first.
    public internal(set) var places: [Place]
    /// What servers keep; `nil` before the first does.
    public internal(set) var stored: Stored?

    /// A file that waits to be brought to servers.
    public init(
        id: String, _ facts: FileFacts, size: Int64, hash: String, addedAt: Timestamp, to servers: [MediaServer]
    ) {
        self.id = id
        (name, description, type) = (facts.name, facts.description, facts.type)
        self.size = size
        self.hash = hash
        added = addedAt.seconds
        places = servers.map { Place($0) }
    }

    /// When it was added.
    public var addedAt: Timestamp { Timestamp(seconds: added) }

    /// The servers that have it.
    public var holders: [MediaServer] { places.filter { $0.standing == .there }.compactMap(\.server) }

    /// What a note says of it: an `imeta` tag (NIP-92); `nil` before a server has it.
    public var attachment: Tag? {
        guard let stored else { return nil }
        var file = MediaAttachment(url: stored.url)
        file.type = stored.type
        if let width, let height { file.dimensions = PixelSize(width: width, height: height) }
        (file.blurhash, file.thumbhash) = (blurhash, thumbhash)
        file.description = description.isEmpty ? nil : description
        if let stillAddress { file.previews = [stillAddress] }
        file.hash = stored.hash
        file.originalHash = stored.hash == hash ? nil : hash
        file.byteCount = stored.size
        if let milliseconds, milliseconds > 0 {
            file.duration = .milliseconds(milliseconds)
            file.bitrate = Int64(Double(stored.size) * 8000 / Double(milliseconds))
        }
        guard let blob = BlobHash(hex: stored.hash) else { return file.tag }
        file.fallbacks = holders.map { $0.address(of: blob, type: stored.type) }.filter { $0 != stored.url }
        return file.tag
    }
}

extension OwnFile {
    /// Whether something is still to be done for it.
    var isOnItsWay: Bool {
        switch standing {
        case .waiting: true
        case .failed: false
        case .stored: places.contains { $0.standing == .waiting }
        }
    }

    /// Whether its bytes must stay here; one that failed may be tried again.
    var needsItsBytes: Bool { stored == nil || isOnItsWay }

    /// When it is to be seen to next, in seconds since 1970; `nil` for never.
    var due: Int64? {
        switch standing {
        case .waiting: 0
        case .failed: nil
        case .stored: places.filter { $0.standing == .waiting }.map(\.next).min()
        }
    }

    /// A server has it: the others are to copy it from there, but for those that will never.
    mutating func isStored(_ blob: BlobDescriptor, at server: MediaServer) {
        stored = Stored(url: blob.url, hash: blob.hash.hex, size: Int64(blob.size), type: blob.type)
        if blob.type == BlobDescriptor.unknownType { stored?.type = type }
        standing = .stored
        for place in places.indices {
            if places[place].address == server.address {
                places[place].standing = .there
                places[place].refusal = nil
            } else if places[place].refusal?.mayPass == true {
                places[place].standing = .waiting
            }
        }
    }

    /// A server has it, too.
    mutating func isThere(at server: MediaServer) {
        guard let place = places.firstIndex(where: { $0.address == server.address }) else { return }
        places[place].standing = .there
        places[place].refusal = nil
    }

    /// A server has it no longer.
    mutating func isGone(from server: MediaServer) {
        places.removeAll { $0.address == server.address }
    }

    /// A server did not do it.
    ///
    /// - Parameter triesAgain: whether it is asked again later where that may help.
    mutating func isRefused(_ refusal: ServerRefusal, at server: MediaServer, now: Timestamp, triesAgain: Bool) {
        guard let place = places.firstIndex(where: { $0.address == server.address }) else { return }
        places[place].refusal = refusal
        places[place].attempts += 1
        if triesAgain, refusal.mayPass, places[place].attempts < Self.mostAttempts {
            // Half a minute, two, eight … up to six hours.
            let pause = min(21_600, 30 << (2 * min(places[place].attempts - 1, 5)))
            places[place].next = now.seconds + Int64(pause)
        } else {
            places[place].standing = .failed
        }
    }

    /// Asks servers anew, or for the first time.
    mutating func ask(_ servers: [MediaServer]) {
        for server in servers {
            if !places.contains(where: { $0.address == server.address }) { places.append(Place(server)) }
        }
        let asked = Set(servers.map(\.address))
        for place in places.indices where asked.contains(places[place].address) && places[place].standing != .there {
            places[place] = MediaServer(places[place].address).map { Place($0) } ?? places[place]
        }
        isUnsigned = false
        if standing == .failed { standing = .waiting }
    }

    private static let mostAttempts = 8
}
