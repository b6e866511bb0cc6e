internal import AsyncPrimitives
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NostrClient
internal import NostrNIPs
internal import ServiceLifecycle
internal import ViewModels

/// Films and sounds of others, which this program hands on while they play.
struct RecordingsController {
    /// How long a browser keeps what it was given, so that it need not ask again where somebody listens twice.
    private static let age: Duration = .seconds(3600)
    /// How long a player may take nothing of what is there for it.
    private static let standstill: Duration = .seconds(60)

    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/recording", use: recording)
    }

    /// Hands a film or sound on; to pages of this program alone, so that no other has this machine ask a server.
    @Sendable private func recording(_ request: Request, _ context: WebContext) async throws -> Response {
        let query = request.query
        let address = query["url"]
        let style = pages.noteStyle(context)
        guard isFromHere(request), style.playsRecordings, style.loadsSomewhere(address),
            let recordings = try context.requireAccount().recordings,
            let found = try await recordings.recording(at: address, as: BlobHash(hex: query["x"]))
        else {
            // A player goes on to the next address; a page of words would be for nobody.
            return Response(status: .notFound, headers: [.cacheControl: "no-store"])
        }
        return Self.answer(found, of: recordings, to: request, pages.time.clock)
    }

    private static func answer(
        _ found: Recording, of recordings: any RecordingPlaying, to request: Request, _ clock: any Clock<Duration>
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: found.type, .xContentTypeOptions: "nosniff",
            .cacheControl: "private, max-age=\(age.components.seconds)",
            .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ]
        guard found.hasParts, let size = found.size else {
            return Response(
                status: .ok, headers: headers,
                body: body(of: found, nil, found.size.map { Int($0) }, recordings, clock))
        }
        headers[.acceptRanges] = "bytes"
        let wanted: WantedBytes = request.headers[.range].map { WantedBytes($0, of: size) } ?? .whole
        switch wanted {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(of: found, nil, Int(size), recordings, clock))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return Response(
                status: .partialContent, headers: headers,
                body: body(of: found, range, range.count, recordings, clock))
        case .outside:
            return Response(
                status: .rangeNotSatisfiable,
                headers: [.contentRange: "bytes */\(size)", .cacheControl: "no-store"])
        }
    }

    /// What comes, as it comes; where its server breaks off, so does this, and a player asks again.
    private static func body(
        of found: Recording, _ range: Range<Int64>?, _ count: Int?, _ recordings: any RecordingPlaying,
        _ clock: any Clock<Duration>
    ) -> ResponseBody {
        ResponseBody(contentLength: count) { writer in
            // No more waits between its server and the player, so it comes as fast as it is played.
            let pieces = BoundedQueue<[UInt8]>(capacity: 256 << 10)
            async let playing: Void = play(found, range, recordings, into: pieces, on: clock)
            while let bytes = await pieces.receive() { try await writer.write(ByteBuffer(bytes: bytes)) }
            try await playing
            try await writer.finish(nil)
        }
    }

    /// Has a recording come, until its player has stood still for too long.
    ///
    /// Then it keeps neither a place among those that play nor its server's connection, and its player asks for the rest
    /// anew. Nor does the program wait for its end when it ends itself.
    static func play(
        _ found: Recording, _ range: Range<Int64>?, _ recordings: any RecordingPlaying,
        into pieces: BoundedQueue<[UInt8]>, on clock: any Clock<Duration>
    ) async throws {
        defer { pieces.finish() }
        try await cancelWhenGracefulShutdown {
            try await recordings.play(found, range) { bytes in
                if !pieces.sendNow(bytes, weight: bytes.count) {
                    let goesOn: Void? = await withDeadline(Self.standstill, on: clock) { await pieces.waitWhileFull() }
                    guard goesOn != nil else { throw PlayerStandsStill() }
                }
                // Whoever listened is gone.
                try Task.checkCancellation()
            }
        }
    }

    /// A player took nothing for too long.
    struct PlayerStandsStill: Error {}
}
