/// Proxies of ours that stand before a server and say where requests come from.
public struct TrustedProxies: Hashable, Sendable {
    private let addresses: Set<IPAddress>
    private let trustsNearby: Bool

    /// No proxy: nobody's word counts, and a request comes from where its socket does.
    public init() {
        (addresses, trustsNearby) = ([], false)
    }

    /// Takes IP addresses in any of their forms; `nil` where a text is none, as it would trust nobody without a word.
    ///
    /// - Parameter trustsNearby: whether every address of this machine and of private networks is a proxy of ours, too.
    public init?(_ texts: some Sequence<String>, trustsNearby: Bool = false) {
        var addresses: Set<IPAddress> = []
        for text in texts {
            guard let address = IPAddress(text)?.plain else { return nil }
            addresses.insert(address)
        }
        (self.addresses, self.trustsNearby) = (addresses, trustsNearby)
    }

    /// Whether a proxy of ours is at an address.
    public func contains(_ address: String) -> Bool {
        guard let address = IPAddress(address)?.plain else { return false }
        return addresses.contains(address) || (trustsNearby && address.isPrivate)
    }

    /// Where a request comes from: what the proxies of ours say in `X-Forwarded-For`, read from its end, where they write.
    ///
    /// What stands before the first address that is none of ours was written by strangers. A proxy that says nothing, or
    /// no address, counts as the origin itself.
    public func origin(of headers: [(name: String, value: String)], from peer: String) -> String {
        guard contains(peer) else { return peer }
        let lines = headers.filter { $0.name.lowercased() == "x-forwarded-for" }.map(\.value)
        for entry in lines.flatMap({ $0.split(separator: ",") }).reversed() {
            let address = String(entry.filter { $0 != " " && $0 != "\t" })
            guard IPAddress(address) != nil else { return peer }
            if !contains(address) { return address }
        }
        return peer
    }
}
