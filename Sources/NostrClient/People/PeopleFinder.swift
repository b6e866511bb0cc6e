internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Finds people by name, NIP-05 or key.
struct PeopleFinder: Sendable {
    let people: People

    /// Followed people first, then those whose name begins with the text, then the others.
    func people(matching text: String, limit: Int, _ context: ReadingContext) async throws -> [Person] {
        let wanted = text.lowercased().drop { $0 == "@" || $0.isWhitespace }
        guard !wanted.isEmpty else { return [] }
        if let named = ProfilePointer(pasted: String(wanted)) {
            let fields = try await people.profiles(of: [named.key])[named.key]
            return [context.person(named.key, fields: fields ?? [:])]
        }
        var profiles = try await people.knownProfiles(of: context.follows)
        profiles.merge(try await people.knownProfiles(of: [context.account])) { old, _ in old }
        let filter = Filter(kinds: [ProfileMetadata.kind], limit: 50, search: String(wanted))
        for event in try await people.context.store.query([filter]) {
            profiles[event.pubkey] = ProfileMetadata(event)?.fields ?? [:]
        }
        let ranked = profiles.compactMap { key, fields -> (rank: Int, person: Person)? in
            guard context.mutes.verdict(on: key, in: .timeline) == .shown,
                let rank = Self.rank(of: wanted, key: key, fields: fields)
            else {
                return nil
            }
            let bonus = context.follows.contains(key) ? 0 : 10
            return (rank + bonus, context.person(key, fields: fields))
        }
        let sorted = ranked.sorted { ($0.rank, $0.person.key) < ($1.rank, $1.person.key) }
        return sorted.prefix(limit).map(\.person)
    }

    /// How well a person fits: less is better, `nil` not at all.
    private static func rank(of wanted: Substring, key: PublicKey, fields: [String: String]) -> Int? {
        let names = ["display_name", "displayName", "name", "nip05"].compactMap { fields[$0]?.lowercased() }
        if names.contains(where: { $0.hasPrefix(wanted) }) { return 1 }
        if names.contains(where: { $0.split(separator: " ").contains { $0.hasPrefix(wanted) } }) { return 2 }
        if wanted.utf8.count >= 2, wanted.count >= 2, names.contains(where: { isIn($0, wanted) }) { return 3 }
        return mayBeginKey(wanted) && key.hex.hasPrefix(wanted) ? 4 : nil
    }

    /// Whether a name holds a text; of those who are followed there are thousands.
    private static func isIn(_ name: String, _ wanted: Substring) -> Bool {
        // Plain letters are compared byte by byte, which takes a hundredth of the time.
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return name.contains(wanted) }
        let (bytes, part) = (Array(name.utf8), Array(wanted.utf8))
        guard let first = part.first, bytes.count >= part.count else { return false }
        return (0...bytes.count - part.count).contains { start in
            bytes[start] == first && bytes[start..<start + part.count].elementsEqual(part)
        }
    }

    /// Whether a key in hex may begin with a text.
    private static func mayBeginKey(_ text: Substring) -> Bool {
        text.utf8.count >= 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
