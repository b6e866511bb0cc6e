/// How a media server is known, and how much it takes from whom.
public struct BlobSettings: Sendable {
    /// Who may bring blobs, in words, for the server's own document.
    public enum Writers: String, Hashable, Sendable {
        /// Whoever proves to have a key.
        case everybody
        /// People whom the operator named.
        case named
    }

    /// A short name, for the server's own document.
    public var name = "Linnet media server"
    /// The version of the program, likewise.
    public var version = ""
    /// The domains by which clients know this server, in lower case, without ports: tokens for others count nothing here.
    public var domains: Set<String>
    /// The address that stands before a blob's name, as `https://host` without a slash at its end; `nil` to answer with
    /// the host that was asked, where it is one of ``domains``.
    public var address: String?
    /// The largest blob, in bytes.
    public var blobSize = 100 << 20
    /// How many bytes one person may have here; `nil` for no bound.
    public var quota: Int?
    /// The types that are taken, which may end in `/*`; without any, all are.
    public var types: [String] = []
    /// Who may bring blobs, in words; the rule itself is given to the server beside these settings.
    public var writers = Writers.everybody
    /// Whether everybody may see which blobs somebody brought; else only they themselves.
    public var hasOpenLists = false
    /// How many blobs a list has at most at a time.
    public var listLength = 1000
    /// How many blobs may be on their way here at once.
    public var uploads = 32
    /// How many of one person.
    public var uploadsOfOne = 4
    /// How long another server may take to give a blob that is copied from there.
    public var mirrorTime: Duration = .seconds(600)
    /// How long the check of all blobs rests after each quarter of a megabyte.
    public var scrubPause: Duration = .milliseconds(100)
    /// How long it rests when it is through.
    public var scrubRest: Duration = .seconds(24 * 3600)

    /// The defaults, for a server known by these domains.
    public init(domains: Set<String>) {
        self.domains = Set(domains.map { $0.lowercased() })
    }
}
