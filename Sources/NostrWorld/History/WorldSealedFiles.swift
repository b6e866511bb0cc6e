internal import NostrCore
internal import NostrNIPs

/// Files that friends of the demo person sent them in private: a picture, one that is another than was sent, and one
/// whose author says that it is a page.
struct WorldSealedFiles {
    /// Writes them beside everything else; a sequence of its own, so that nothing else changes by them.
    static func send(
        people: [WorldPerson], hero: Int, friends: [Int], choices: [RelayChoice], relays: [WorldRelay], host: String,
        now: Timestamp, seed: UInt64, beside written: inout [Written]
    ) {
        var dice = Dice(seed: seed ^ 0x5EA1_F11E)
        let files = SealedPicture.all
        // Who sends which, and how long ago.
        let letters: [(friend: Int, file: Int, ago: Int64)] = [
            (0, 0, 26 * 3_600), (1, 1, 27 * 3_600), (0, 2, 25 * 3_600),
        ]
        for letter in letters {
            guard friends.indices.contains(letter.friend), files.indices.contains(letter.file) else { continue }
            let author = friends[letter.friend]
            var file = files[letter.file].file
            file.url = host + SealedPicture.path(letter.file)
            // Of the second only its author knows that it is the right one.
            if letter.file == 1 { file.hash = Bytes32() }
            // Not everybody says what is to be seen.
            if letter.file == 0 { file.description = "Hills, one behind the other" }
            let members = [hero, author]
            let draft = file.draft(
                to: ChatRoom(members.map { people[$0].publicKey }), by: people[author].publicKey,
                createdAt: now - .seconds(letter.ago))
            let rumor = Rumor(draft, author: people[author].publicKey)
            for member in members {
                // Only a text too long or a key that is none would fail; these are neither.
                guard
                    let wrap = try? GiftWrap.make(
                        rumor, by: people[author].keyholder.key, for: people[member].publicKey,
                        relay: choices[member].inbox.first.map { relays[$0].address }, now: rumor.createdAt,
                        using: &dice)
                else { continue }
                written.append(Written(event: wrap, author: author))
            }
        }
    }
}

/// The sealed files of a world, as a media server has them.
public struct WorldSealedBlobs: Sendable {
    private let host: String

    /// Keeps the name of a world's host alone: files are made from their addresses.
    public init(_ world: World) {
        host = world.pictures
    }

    /// What lies at an address; `nil` where nothing does.
    public func file(at address: String) -> [UInt8]? {
        guard address.hasPrefix(host + "/") else { return nil }
        return SealedPicture(path: String(address.dropFirst(host.count)))?.encrypted
    }
}
