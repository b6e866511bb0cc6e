public import NostrCore

/// One permission: a method, for `sign_event` maybe one kind only.
///
/// Shape: `method` or `sign_event:kind`. Source: NIP-46, "Requested permissions".
public struct RemotePermission: Hashable, Sendable {
    /// The method.
    public var method: RemoteMethod
    /// The kind, for `sign_event`; `nil` for every kind.
    public var kind: Kind?

    /// A kind beside any method but `sign_event` is dropped.
    public init(_ method: RemoteMethod, kind: Kind? = nil) {
        self.method = method
        self.kind = method == .signEvent ? kind : nil
    }

    /// Reads one; `nil` for a method nobody knows or a kind that is none.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let method = RemoteMethod(rawValue: String(name)) else { return nil }
        guard parts.count > 1 else {
            self.init(method)
            return
        }
        // Digits only: what else Swift reads as a number, such as a sign, is none here.
        guard method == .signEvent, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(parts[1])
        else { return nil }
        self.init(method, kind: Kind(number))
    }

    /// As it is written.
    public var text: String {
        kind.map { "\(method.rawValue):\($0.rawValue)" } ?? method.rawValue
    }

    /// Reads a comma-separated list; what cannot be read is left out, each permission comes once.
    ///
    /// - Parameter limit: how many are read at most.
    public static func list(_ text: String, limit: Int = 200) -> [RemotePermission] {
        var seen: Set<RemotePermission> = []
        return text.split(separator: ",", maxSplits: limit).prefix(limit).compactMap { part in
            let end = part.lastIndex { !$0.isWhitespace }.map { part[...$0] } ?? ""
            return RemotePermission(end.drop(while: \.isWhitespace)).flatMap { seen.insert($0).inserted ? $0 : nil }
        }
    }

    /// A list as it is written.
    public static func text(_ list: [RemotePermission]) -> String {
        list.map(\.text).joined(separator: ",")
    }

    /// Whether having this one is having the other.
    public func covers(_ other: RemotePermission) -> Bool {
        method == other.method && (kind == nil || kind == other.kind)
    }
}
