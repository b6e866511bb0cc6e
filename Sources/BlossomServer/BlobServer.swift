public import AsyncPrimitives
internal import HTTPTypes
public import Hummingbird
public import Logging
public import NIOCore
public import NostrCore
internal import NostrNIPs
public import NostrStore

/// A Blossom media server as a library: it answers HTTP requests, keeps blobs in a folder, and knows whose they are.
///
/// A blob is kept under the SHA-256 of its bytes, whole or not at all, and no byte leaves that was not checked against that
/// name. Reading is open to everybody; bringing, listing and deleting need a token signed by the person's key. One task
/// runs ``run()``, which checks everything that is kept, slowly. Each sort of request has a file.
/// Source: BUD-01, 02, 04, 06, 08, 11, 12.
public final class BlobServer: Sendable {
    /// Whether somebody may bring blobs.
    public typealias Admission = @Sendable (PublicKey) async -> Bool

    /// How it is known, and how much it takes.
    public let settings: BlobSettings

    let store: BlobStore
    let mayBring: Admission
    let fetching: (any BlobFetching)?
    let time: Time<Timestamp>
    let log: Logger
    let uploads: UploadPlaces

    /// Opens the folder, made where it is missing.
    ///
    /// - Parameters:
    ///   - folder: where the blobs lie; it is this server's alone.
    ///   - records: whose they are.
    ///   - mayBring: whether somebody may bring blobs; asked for each.
    ///   - fetching: gets blobs that are copied from other servers (BUD-04); `nil` when that is not offered.
    ///   - time: measures pauses, and gives the date that tokens and lists go by.
    ///   - log: gets no content; of people their public keys at most.
    /// - Throws: when the folder cannot be made or written.
    public init(
        folder: String, records: any RecordStore, settings: BlobSettings, mayBring: @escaping Admission = { _ in true },
        fetching: (any BlobFetching)? = nil, time: Time<Timestamp>, log: Logger
    ) async throws {
        self.settings = settings
        self.mayBring = mayBring
        self.fetching = fetching
        self.time = time
        self.log = log
        uploads = UploadPlaces(all: settings.uploads, ofOne: settings.uploadsOfOne)
        store = BlobStore(folder: BlobFolder(path: folder), records: BlobRecords(store: records), log: log)
        try await store.prepare()
    }

    /// Drops what a crash left, then checks every blob against its name, again and again, until cancelled.
    public func run() async throws {
        while true {
            do {
                try await store.scrub { [time, settings] in try await time.sleep(for: settings.scrubPause) }
            } catch let error as CancellationError {
                throw error
            } catch {
                log.warning("blobs could not be checked", metadata: ["why": "\(error)"])
            }
            try await time.sleep(for: settings.scrubRest)
        }
    }

    /// Whether a path is for this server, on a port that it shares; `/` is not, so that its document is at `/blossom` there.
    ///
    /// - Parameter path: of a request, with its query.
    public static func claims(_ path: String) -> Bool {
        let path = withoutQuery(path)
        return switch BlossomRoute(path: path) {
        case .document: path != "/"
        case .nothing: false
        default: true
        }
    }

    /// Answers one request; whatever goes wrong is an answer, too, with its reason.
    ///
    /// - Parameter channel: the connection that it came over, by which the system itself can send a blob, and which
    ///   is read in larger parts while one comes; without it blobs are read and written.
    public func respond(to request: Request, over channel: (any Channel)? = nil) async -> Response {
        do {
            return try await answer(request, channel)
        } catch let refusal as BlossomRefusal {
            return BlossomAnswers.refusal(refusal, isHeadersOnly: request.method == .head)
        } catch let failure as DiskFailure {
            log.error("the disk refused", metadata: ["number": "\(failure.number)"])
            return BlossomAnswers.refusal(failure.isFull ? .full : .failed, isHeadersOnly: request.method == .head)
        } catch {
            // A request that broke off reads no answer, and is nobody's fault here.
            log.log(
                level: error is StoreError ? .error : .debug, "a request failed", metadata: ["why": "\(error)"])
            return BlossomAnswers.refusal(.failed, isHeadersOnly: request.method == .head)
        }
    }

    private func answer(_ request: Request, _ channel: (any Channel)?) async throws -> Response {
        if request.method == .options { return BlossomAnswers.preflight }
        let route = BlossomRoute(path: Self.withoutQuery(request.head.path ?? "/"))
        switch (route, request.method) {
        case (.document, .get): return BlossomAnswers.json(document)
        case (.document, .head): return BlossomAnswers.json(document).createHeadResponse()
        case (.blob(let hash), .get), (.blob(let hash), .head):
            return try await give(hash, to: request, over: channel)
        case (.blob(let hash), .delete): return try await delete(hash, request)
        case (.upload, .put): return try await receive(request, over: channel)
        case (.upload, .head): return try await judge(request)
        case (.mirror, .put): return try await mirror(request)
        case (.list(let key), .get): return try await list(of: key, request)
        case (.malformed(let why), _): throw BlossomRefusal(.badRequest, why)
        case (.media, _):
            throw BlossomRefusal(.notFound, "This server changes no pictures; bring them to /upload as they are to be.")
        case (.nothing, _): throw BlossomRefusal(.notFound, "There is nothing here.")
        default:
            throw BlossomRefusal(.methodNotAllowed, "This cannot be done here.", allowed: Self.methods(of: route))
        }
    }

    private static func withoutQuery(_ path: String) -> String {
        String(Substring(path.utf8.prefix { $0 != UInt8(ascii: "?") }))
    }

    /// What the server says of itself.
    var document: JSONValue {
        let buds = fetching == nil ? [1, 2, 6, 8, 11, 12] : [1, 2, 4, 6, 8, 11, 12]
        return .object([
            JSONMember("name", .string(settings.name)), JSONMember("software", .string("linnet")),
            JSONMember("version", .string(settings.version)), JSONMember("buds", .array(buds.map(Self.number))),
            JSONMember("limits", .object(limits)),
        ])
    }

    private var limits: [JSONMember] {
        let types = settings.types.isEmpty ? ["*/*"] : settings.types
        let quota = settings.quota.map(Self.number)
        return [
            JSONMember("blob_bytes", Self.number(settings.blobSize)),
            JSONMember("bytes_per_person", quota ?? .null),
            JSONMember("types", .array(types.map { .string($0) })),
            JSONMember("uploads_by", .string(settings.writers.rawValue)),
            JSONMember("uploads_at_once", Self.number(settings.uploadsOfOne)),
            JSONMember("lists_for", .string(settings.hasOpenLists ? "everybody" : "their owner")),
            JSONMember("list_length", Self.number(settings.listLength)),
        ]
    }

    private static func number(_ value: Int) -> JSONValue { .number(String(value)) }

    private static func methods(of route: BlossomRoute) -> String {
        switch route {
        case .blob: "GET, HEAD, DELETE, OPTIONS"
        case .upload: "PUT, HEAD, OPTIONS"
        case .mirror: "PUT, OPTIONS"
        case .list: "GET, OPTIONS"
        default: "GET, HEAD, OPTIONS"
        }
    }
}
