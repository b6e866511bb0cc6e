public import NostrCore
public import NostrNIPs

/// To whom an event proves who somebody is: a relay (NIP-42), or a web site (NIP-98).
///
/// Shape: a relay's address, or `scheme://host` of a site. A yes to such an event is a yes for that place alone.
public struct Audience: Hashable, Sendable {
    /// Kinds of events that say who somebody is to one place only.
    public static let kinds: Set<Kind> = [RelayAuthentication.kind, HTTPAuth.kind]

    /// As it is written.
    public let text: String

    /// The place a draft is for; `nil` for drafts that prove nothing to anybody, and where none or several are named.
    public init?(of draft: EventDraft) {
        guard let address = draft.loginAddress else { return nil }
        self.init(address)
    }

    /// Reads an address; the path and query of a site's are left out.
    public init?(_ address: some StringProtocol) {
        let address = String(address)
        // What is no relay may be a site.
        if let relay = try? RelayURL(address) {
            text = relay.text
            return
        }
        let lowered = address.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowered.hasPrefix) else { return nil }
        let host = lowered.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        guard !host.isEmpty, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "@") }) else {
            return nil
        }
        let port = scheme == "https://" ? ":443" : ":80"
        text = scheme + (host.hasSuffix(port) ? host.dropLast(port.count) : host)
    }
}

extension EventDraft {
    /// The address of the relay or page that a login is for, as the app wrote it; `nil` without exactly one.
    public var loginAddress: String? {
        let name: String
        switch kind {
        case RelayAuthentication.kind: name = "relay"
        case HTTPAuth.kind: name = "u"
        default: return nil
        }
        let named = tags.named(name)
        return named.count == 1 ? named.first?.value : nil
    }
}

extension RemotePermission {
    /// Whether a yes to it says nothing without the place it is for.
    public var needsAudience: Bool { kind.map(Audience.kinds.contains) ?? false }
}

extension Grant {
    /// As it is written: the permission, and the place it is for where it is for one: `sign_event:22242 wss://relay`.
    public var text: String { permission.text + (audience.map { " " + $0.text } ?? "") }

    /// Reads a permission, and the place it is for.
    public static func subject(_ text: String) -> (permission: RemotePermission, audience: Audience?)? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let first = parts.first, let permission = RemotePermission(first) else { return nil }
        guard parts.count > 1 else { return (permission, nil) }
        guard permission.needsAudience, let audience = Audience(parts[1]) else { return nil }
        return (permission, audience)
    }

    /// Whether it is about a request for a permission, made for a place.
    ///
    /// A yes to a login is for its place alone; a no, or to be asked, may be for all.
    func covers(_ asked: RemotePermission, for audience: Audience?) -> Bool {
        guard permission.covers(asked) else { return false }
        guard asked.needsAudience else { return true }
        return self.audience.map { $0 == audience } ?? (verdict != .allow)
    }
}
