/// What is asked of a tile server, and nothing else: no cookies, no referer, no language, no redirects followed.
public struct TileRequest: Hashable, Sendable {
    /// The whole address; it tells a place and may hold a key, so it goes into no log.
    public let url: String
    /// For `If-None-Match`, where an older picture is kept.
    public let tag: String?
    /// For `User-Agent`: tile servers want to know which program asks.
    public let agent: String
    /// How long the answer may take, all in all.
    public let deadline: Duration
    /// The most bytes of an answer that are read.
    public let longest: Int
}

extension TileRequest: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "a request for a tile" }
    public var debugDescription: String { description }
}

/// What a tile server answered.
public struct TileAnswer: Hashable, Sendable {
    /// The status of HTTP; a redirect counts as an answer.
    public let status: Int
    /// `ETag`, as it came.
    public let tag: String?
    /// `max-age` of `Cache-Control`.
    public let maxAge: Duration?
    /// `Retry-After`, where it is a number of seconds.
    public let retryAfter: Duration?
    /// The body.
    public let body: [UInt8]

    /// An answer of a server; what is left out it did not say.
    public init(
        status: Int, tag: String? = nil, maxAge: Duration? = nil, retryAfter: Duration? = nil, body: [UInt8] = []
    ) {
        self.status = status
        self.tag = tag
        self.maxAge = maxAge
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Asks a tile server.
public protocol TileFetching: Sendable {
    /// Asks once; throws where no answer came in time or it was too long.
    func fetch(_ request: TileRequest) async throws -> TileAnswer
}

/// A picture of a tile, known by its first bytes and not by what a server calls it.
public struct TilePicture: Hashable, Sendable {
    /// The most bytes of one.
    public static let longest = 1 << 20

    /// PNG, JPEG or WebP: what every browser shows and none runs.
    public enum Kind: String, Sendable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webp = "image/webp"
    }

    /// What it is.
    public let kind: Kind
    /// The whole file.
    public let bytes: [UInt8]

    /// Takes a file; `nil` for one too long, of another kind, or more dots wide or high than a tile: a small file may say
    /// that it is enormous, and a browser would make room for it.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest, let size = PictureDimensions(bytes),
            max(size.width, size.height) <= TileImage.longestSide
        else { return nil }
        (kind, self.bytes) = (size.kind, bytes)
    }
}
