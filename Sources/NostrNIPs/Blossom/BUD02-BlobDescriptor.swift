public import NostrCore

/// What a media server says of a blob that it keeps.
///
/// Source: BUD-02; the tags are BUD-08's, in the words of NIP-94.
public struct BlobDescriptor: Hashable, Sendable {
    /// What stands where nobody knows the type.
    public static let unknownType = "application/octet-stream"

    /// Where everybody gets the blob, with an extension for its type.
    public var url: String
    /// The blob's name.
    public var hash: BlobHash
    /// The blob's length, in bytes.
    public var size: Int
    /// The blob's MIME type.
    public var type: String
    /// When it came to the server.
    public var uploaded: Timestamp
    /// What the server says of the file besides, in the words of NIP-94; empty where it says nothing.
    public var tags: [Tag]

    /// What a server says of a blob it has; one that was read may claim anything.
    public init(
        url: String, hash: BlobHash, size: Int, type: String, uploaded: Timestamp, tags: [Tag] = []
    ) {
        self.url = url
        self.hash = hash
        self.size = size
        self.type = type
        self.uploaded = uploaded
        self.tags = tags
    }

    /// Parses a descriptor; `nil` when it is no JSON object or names no blob, address or size.
    ///
    /// A type or a moment that is missing counts as unknown, as servers of older drafts leave them out.
    public init?(json: [UInt8]) {
        // What is no JSON is no descriptor.
        guard let value = try? JSONValue(json) else { return nil }
        self.init(value)
    }

    package init?(_ value: JSONValue) {
        guard let url = value["url"]?.string, let hex = value["sha256"]?.string, let hash = BlobHash(hex: hex),
            let size = value["size"]?.integer.flatMap(Int.init(exactly:)), size >= 0
        else { return nil }
        self.init(
            url: url, hash: hash, size: size, type: value["type"]?.string ?? Self.unknownType,
            uploaded: Timestamp(seconds: value["uploaded"]?.integer ?? 0),
            tags: (value["nip94"]?.elements ?? []).map { Tag($0.elements.compactMap(\.string)) })
    }

    /// The descriptor as JSON.
    public var json: [UInt8] { value.json }

    package var value: JSONValue {
        var members = [
            JSONMember("url", .string(url)), JSONMember("sha256", .string(hash.hex)),
            JSONMember("size", .number(String(size))), JSONMember("type", .string(type)),
            JSONMember("uploaded", .number(String(uploaded.seconds))),
        ]
        if !tags.isEmpty {
            let rows = tags.map { JSONValue.array($0.elements.map(JSONValue.string)) }
            members.append(JSONMember("nip94", .array(rows)))
        }
        return .object(members)
    }

    /// The tags that its own fields say.
    ///
    /// Source: BUD-08, NIP-94.
    public var fieldTags: [Tag] {
        [["url", url], ["m", type], ["x", hash.hex], ["size", String(size)]]
    }
}
