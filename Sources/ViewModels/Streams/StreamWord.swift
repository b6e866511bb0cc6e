internal import NostrCore
public import NostrNIPs

/// How a live stream is named in addresses and news: its `naddr`.
public enum StreamWord {
    /// What stands for the list of all streams.
    public static let list = "list"

    /// The name of a stream without relays, so that it is always the same; empty where its identifier is too long for one.
    public static func word(of address: EventAddress) -> String {
        word(of: AddressPointer(address: address))
    }

    /// The name of a stream with relays to find it at.
    public static func word(of pointer: AddressPointer) -> String {
        // An identifier above 255 bytes has no such form; such a stream has no page.
        (try? NostrEntity.naddr(pointer).encoded()) ?? ""
    }

    /// Reads a name; `nil` unless it is of a live stream.
    public static func pointer(_ text: String) -> AddressPointer? {
        let code = text.lowercased().hasPrefix("nostr:") ? String(text.dropFirst(6)) : text
        // What does not decode names nothing.
        guard case .naddr(let pointer)? = try? NostrEntity(code), pointer.address.kind == LiveActivity.kind else {
            return nil
        }
        return pointer
    }
}
