public import NostrCore
internal import NostrNIPs
internal import Secp256k1
internal import Synchronization

/// The media servers of a world: one keeps everything, one breaks off in the middle of uploads, one lies about what it
/// has, one wants to be paid.
///
/// Files are brought to them within this process; browsers load them from the port of the world's pictures, where each
/// server has a name of its own.
public final class WorldMediaServers: Sendable {
    /// What a server answers.
    public struct Answer: Sendable {
        /// The HTTP status.
        public var status: Int
        /// The fields of its head, names in lowercase.
        public var headers: [String: String] = [:]
        /// The body.
        public var body: [UInt8] = []
    }

    /// A request as it arrives.
    public struct Incoming: Sendable {
        /// The HTTP method.
        public var method: String
        /// The whole address.
        public var address: String
        /// The fields of its head, names in lowercase.
        public var headers: [String: String]
        /// The body.
        public var body: [UInt8]

        /// A request.
        public init(method: String, address: String, headers: [String: String], body: [UInt8]) {
            self.method = method
            self.address = address
            self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
            self.body = body
        }
    }

    enum Manner: String, CaseIterable {
        /// Uploads break off.
        case ember
        /// Keeps everything.
        case linden
        /// Says and gives other things than it was brought.
        case mirage
        /// Wants to be paid.
        case toll
    }

    struct Blob {
        var type: String
        var bytes: [UInt8]
        var owner: PublicKey?
        var uploaded: Timestamp
    }

    struct State {
        var blobs: [Manner: [BlobHash: Blob]] = [:]
        var size = 0
    }

    /// So many bytes are kept by all of them together.
    static let room = 256 << 20
    /// What the one server asks to be paid: 21 sats, to nobody.
    private static let invoice: String = {
        let draft = InvoiceDraft(
            millisatoshis: 21_000, createdAt: Timestamp(seconds: 1_700_000_000),
            paymentHash: [UInt8](repeating: 21, count: 32), paymentSecret: [UInt8](repeating: 21, count: 32),
            purpose: .text("A file"))
        // A key that is none would only leave the server without a price.
        return (try? draft.signed(by: SigningKey(secret: [UInt8](repeating: 3, count: 32).span))) ?? ""
    }()

    let state: Mutex<State>
    private let port: Int
    private let now: @Sendable () -> Timestamp

    /// The servers of a world whose pictures are served at a port.
    public init(port: Int, now: @escaping @Sendable () -> Timestamp) {
        self.port = port
        self.now = now
        var state = State()
        for lost in WorldFiles.lost {
            state.blobs[.linden, default: [:]][lost.hash] = Blob(
                type: "image/png", bytes: lost.png, owner: nil, uploaded: now())
            state.blobs[.mirage, default: [:]][lost.hash] = Blob(
                type: "image/png", bytes: lost.png, owner: nil, uploaded: now())
        }
        for file in WorldGifs.files {
            state.blobs[.linden, default: [:]][file.hash] = Blob(
                type: FileMetadata.gifType, bytes: file.gif, owner: nil, uploaded: now())
        }
        self.state = Mutex(state)
    }

    /// The addresses of all of them, for a port.
    public static func addresses(port: Int) -> [String] {
        Manner.allCases.map { "http://\($0.rawValue).localhost:\(port)" }
    }

    /// The addresses of all of them.
    public var addresses: [String] { Self.addresses(port: port) }

    /// Where browsers look for files: at the servers, and at one that is gone.
    public var hosts: [String] { addresses + ["http://gone.localhost:\(port)"] }

    /// Answers a request; `nil` where the connection breaks off, or nobody is there.
    public func answer(_ request: Incoming) -> Answer? {
        guard let (manner, path) = place(of: request.address) else {
            // A host of GIFs is asked by the same way.
            return WorldGifs.answer(request, port: port)
        }
        let steps = path.prefix { $0 != "?" }.split(separator: "/")
        switch (request.method, steps.first.map(String.init) ?? "") {
        case ("PUT", "upload"): return upload(request, manner)
        case ("HEAD", "upload"): return manner == .toll ? Self.payment : Answer(status: 200)
        case ("PUT", "mirror"): return mirror(request, manner)
        case ("GET", "list") where steps.count == 2: return list(request, manner, of: String(steps[1]))
        case ("DELETE", let name): return delete(request, manner, name)
        case ("GET", let name), ("HEAD", let name): return give(name, manner, isWhole: request.method == "GET")
        default: return Answer(status: 404)
        }
    }

    static var payment: Answer {
        Answer(status: 402, headers: ["x-reason": "21 sats for a file, please.", "x-lightning": invoice])
    }

    /// Which server an address is of, and what is asked there.
    private func place(of address: String) -> (Manner, Substring)? {
        for manner in Manner.allCases {
            let start = "http://\(manner.rawValue).localhost:\(port)/"
            if address.hasPrefix(start) { return (manner, address.dropFirst(start.count)) }
        }
        return nil
    }

    private func upload(_ request: Incoming, _ manner: Manner) -> Answer? {
        switch manner {
        case .ember: return nil
        case .toll: return Self.payment
        case .linden, .mirage: break
        }
        let hash = BlobHash(of: request.body)
        guard let owner = permitted(request, .upload, manner, hash) else { return Self.unauthorized }
        return keep(
            request.body, type: request.headers["content-type"] ?? BlobDescriptor.unknownType, owner: owner, at: manner)
    }

    private func mirror(_ request: Incoming, _ manner: Manner) -> Answer? {
        if manner == .toll { return Self.payment }
        // What names no address is no request.
        guard let url = (try? JSONValue(request.body))?["url"]?.string, let (origin, path) = place(of: url),
            let hash = BlobHash(inAddress: path), let blob = state.withLock({ $0.blobs[origin]?[hash] })
        else { return Answer(status: 502, headers: ["x-reason": "The file is not there."]) }
        guard let owner = permitted(request, .upload, manner, hash) else { return Self.unauthorized }
        return keep(blob.bytes, type: blob.type, owner: owner, at: manner)
    }

    private func keep(_ bytes: [UInt8], type: String, owner: PublicKey, at manner: Manner) -> Answer {
        let hash = BlobHash(of: bytes)
        let blob = Blob(type: type, bytes: bytes, owner: owner, uploaded: now())
        let (isNew, hasRoom) = state.withLock { state in
            if state.blobs[manner]?[hash] != nil { return (false, true) }
            guard state.size + bytes.count <= Self.room else { return (true, false) }
            state.size += bytes.count
            state.blobs[manner, default: [:]][hash] = blob
            return (true, true)
        }
        guard hasRoom else { return Answer(status: 413, headers: ["x-reason": "There is no more room."]) }
        var descriptor = descriptor(hash, blob, at: manner)
        // It tells of another file than it was brought.
        if manner == .mirage { descriptor.hash = BlobHash(of: [UInt8]("mirage".utf8)) }
        return Answer(
            status: isNew ? 201 : 200, headers: ["content-type": "application/json"], body: descriptor.json)
    }

    private func list(_ request: Incoming, _ manner: Manner, of key: String) -> Answer {
        guard let owner = permitted(request, .list, manner, nil), owner.hex == key else { return Self.unauthorized }
        // What it has it does not tell.
        let kept: [BlobHash: Blob] = manner == .mirage ? [:] : state.withLock { $0.blobs[manner] ?? [:] }
        let blobs = kept.filter { $0.value.owner == owner }
        let sorted = blobs.sorted { ($1.value.uploaded, $1.key) < ($0.value.uploaded, $0.key) }
        let rows = sorted.map { descriptor($0.key, $0.value, at: manner).value }
        return Answer(
            status: 200, headers: ["content-type": "application/json"], body: JSONValue.array(rows).json)
    }

    private func delete(_ request: Incoming, _ manner: Manner, _ name: String) -> Answer {
        guard let hash = BlobHash(inAddress: name) else { return Answer(status: 404) }
        guard let owner = permitted(request, .delete, manner, hash) else { return Self.unauthorized }
        let isGone = state.withLock { state in
            guard let blob = state.blobs[manner]?[hash], blob.owner == owner else { return false }
            state.size -= blob.bytes.count
            state.blobs[manner]?[hash] = nil
            return true
        }
        return Answer(status: isGone ? 204 : 404)
    }

    private func give(_ name: String, _ manner: Manner, isWhole: Bool) -> Answer {
        guard let hash = BlobHash(inAddress: name), var blob = state.withLock({ $0.blobs[manner]?[hash] }) else {
            return Answer(status: 404)
        }
        if manner == .mirage { blob.bytes = [UInt8]("You asked for something else.".utf8) }
        return Answer(status: 200, headers: ["content-type": blob.type], body: isWhole ? blob.bytes : [])
    }

    private func descriptor(_ hash: BlobHash, _ blob: Blob, at manner: Manner) -> BlobDescriptor {
        let start = "http://\(manner.rawValue).localhost:\(port)"
        let url = MediaServer(start)?.address(of: hash, type: blob.type) ?? start
        return BlobDescriptor(url: url, hash: hash, size: blob.bytes.count, type: blob.type, uploaded: blob.uploaded)
    }

    /// Who permitted it; `nil` for nobody.
    private func permitted(
        _ request: Incoming, _ action: BlobAuthorization.Action, _ manner: Manner, _ blob: BlobHash?
    ) -> PublicKey? {
        // Why it permits nothing is told to nobody in a play.
        guard let header = request.headers["authorization"],
            let token = try? BlobAuthorization(header: header, now: now()),
            (try? token.permits(
                action, at: ["\(manner.rawValue).localhost"], blob: blob, mustNameBlob: blob != nil)) != nil
        else { return nil }
        return token.author
    }

    private static var unauthorized: Answer {
        Answer(status: 401, headers: ["x-reason": "This needs a token for this server."])
    }
}

/// The media servers of a world, filled in once their port is known; it opens before that.
final class MediaServersBox: Sendable {
    private let box = Mutex<WorldMediaServers?>(nil)

    var servers: WorldMediaServers? { box.withLock { $0 } }

    func fill(_ servers: WorldMediaServers) {
        box.withLock { $0 = servers }
    }
}
