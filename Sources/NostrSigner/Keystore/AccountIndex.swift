internal import NostrCore
internal import NostrNIPs

/// What the file `accounts.json` remembers of the accounts; the keys are in files of their own.
struct AccountIndex: Equatable {
    struct Entry: Equatable {
        var name: String
        /// What is kept; the files of keys and pairings say more, where there are any.
        var kind: KeystoreAccount.Kind
        var added: Timestamp
        var lastUsed: Timestamp
    }

    var entries: [PublicKey: Entry] = [:]

    init() {}

    /// Parses the file, or is `nil` when it is damaged; entries without a key are left out.
    init?(json: [UInt8]) {
        // A damaged file is set aside by the caller; the keys do not depend on it.
        guard let document = try? JSONValue(json), document["version"]?.integer == 1 else { return nil }
        for value in document["accounts"]?.elements ?? [] {
            // A name that is no key belongs to no account.
            guard let npub = value["npub"]?.string, let key = try? PublicKey(npub: npub) else { continue }
            entries[key] = Entry(
                name: value["name"]?.string ?? "",
                kind: value["kind"]?.string.flatMap(KeystoreAccount.Kind.init(rawValue:)) ?? .encrypted,
                added: Timestamp(seconds: value["added"]?.integer ?? 0),
                lastUsed: Timestamp(seconds: value["last_used"]?.integer ?? 0))
        }
    }

    /// The file.
    var json: [UInt8] {
        let accounts = entries.sorted { $0.key < $1.key }.map { key, entry in
            JSONValue.object([
                JSONMember("npub", .string(key.npub)),
                JSONMember("name", .string(entry.name)),
                JSONMember("kind", .string(entry.kind.rawValue)),
                JSONMember("added", .number(String(entry.added.seconds))),
                JSONMember("last_used", .number(String(entry.lastUsed.seconds))),
            ])
        }
        let document = JSONValue.object([
            JSONMember("version", .number("1")), JSONMember("accounts", .array(accounts)),
        ])
        return document.json + [UInt8(ascii: "\n")]
    }
}
