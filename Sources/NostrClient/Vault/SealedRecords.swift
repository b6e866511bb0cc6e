internal import NostrCore
package import NostrSigner
package import NostrStore
internal import Synchronization

/// An account's records that nobody else reads: values are encrypted, names are turned into words that tell nothing.
///
/// Only the tables' names, the number of records and their sizes show on the disk. Records of a group can be read
/// together; what a record is about must be in its value, since its name cannot be read back.
package struct SealedRecords: Sendable {
    /// How many records are in memory at once when a group is gone through.
    private static let stretch = 2048

    private let records: any RecordStore
    private let key: SealingKey
    private let groupWords = GroupWords()

    /// Where a record rests: a group within a table and a name within the group.
    package struct Address: Hashable, Sendable {
        package let table: String
        package let group: String
        package let name: String

        package init(_ table: String, group: String = "", _ name: String) {
            self.table = table
            self.group = group
            self.name = name
        }
    }

    package init(_ records: any RecordStore, _ key: SealingKey) {
        self.records = records
        self.key = key
    }

    /// The value at an address, or `nil`.
    ///
    /// - Throws: ``/NostrSigner/SealingKey/Failure`` for one that does not open, and what the store throws.
    package func value(_ address: Address) async throws -> [UInt8]? {
        let word = word(of: address)
        guard let sealed = try await records.value(word, in: address.table) else { return nil }
        return try key.open(sealed, as: "\(address.table)/\(word)")
    }

    /// What can be sealed to while the vault is closed; no secret.
    var boxPublicKey: [UInt8] { key.boxPublicKey }

    /// Opens what was sealed to ``boxPublicKey``.
    ///
    /// - Throws: ``/NostrSigner/SealingKey/Failure``.
    func openBox(_ sealed: [UInt8], as name: String) throws(SealingKey.Failure) -> [UInt8] {
        try key.openBox(sealed, as: name)
    }

    /// Whether there is a value at an address; does not open it.
    package func contains(_ address: Address) async throws -> Bool {
        try await records.value(word(of: address), in: address.table) != nil
    }

    /// The values of a table, or of one group in it, in no order that means anything; those that do not open are `nil`.
    ///
    /// - Parameter transform: works on all cores with the opened bytes.
    package func values<R: Sendable>(
        in table: String, group: String? = nil, _ transform: @escaping @Sendable ([UInt8]) -> R?
    ) async throws -> [R?] {
        let prefix = group.map { groupWord($0, table) + "/" } ?? ""
        let found = try await records.records(in: table, prefix: prefix)
        let key = self.key
        return await mapOnAllCores(found) { record in
            // One damaged record must not hide the others; the caller counts what is `nil`.
            guard let value = try? key.open(record.value, as: "\(table)/\(record.key)") else { return nil }
            return transform(value)
        }
    }

    /// The values of several groups of one table, read at once; groups of which there is nothing are not in it.
    ///
    /// For tables that have little in them: for many groups one look at all of it is quicker than one at each.
    package func values<R: Sendable>(
        in table: String, groups: some Sequence<String>, _ transform: @escaping @Sendable ([UInt8]) -> R?
    ) async throws -> [String: [R?]] {
        let found = try await records.records(in: table, prefix: "")
        guard !found.isEmpty else { return [:] }
        let words = Dictionary(groups.map { (groupWord($0, table)[...], $0) }) { first, _ in first }
        let key = self.key
        let opened = await mapOnAllCores(found) { record in
            // One damaged record must not hide the others; the caller counts what is `nil`.
            (try? key.open(record.value, as: "\(table)/\(record.key)")).flatMap(transform)
        }
        var values: [String: [R?]] = [:]
        for (record, value) in zip(found, opened) {
            guard let group = record.key.firstIndex(of: "/").flatMap({ words[record.key[..<$0]] }) else { continue }
            values[group, default: []].append(value)
        }
        return values
    }

    /// The values at several addresses of one table, in the order asked for; `nil` for what is not there or does not open.
    package func values(at addresses: [Address]) async throws -> [[UInt8]?] {
        guard let table = addresses.first?.table else { return [] }
        precondition(addresses.allSatisfy { $0.table == table }, "several values are read from one table")
        let words = addresses.map(word)
        let found = try await records.values(of: words, in: table)
        // One damaged record must not hide the others.
        return zip(words, found).map { word, sealed in sealed.flatMap { try? key.open($0, as: "\(table)/\(word)") } }
    }

    /// Goes through the values of a group, a stretch at a time, in no order that means anything.
    ///
    /// - Parameters:
    ///   - transform: works on all cores with the opened bytes; gets `nil` for one that does not open.
    ///   - body: takes what was made of each.
    package func forEach<R: Sendable>(
        in table: String, group: String, _ transform: @escaping @Sendable ([UInt8]?) -> R, body: (R) throws -> Void
    ) async throws {
        let prefix = groupWord(group, table) + "/"
        let key = self.key
        var last: String?
        while true {
            let found = try await records.records(in: table, prefix: prefix, after: last, limit: Self.stretch)
            let made = await mapOnAllCores(found) { record in
                // One damaged record must not hide the others; the caller counts what is `nil`.
                transform(try? key.open(record.value, as: "\(table)/\(record.key)"))
            }
            for one in made { try body(one) }
            guard found.count == Self.stretch else { return }
            last = found.last?.key
        }
    }

    /// The change that puts a value, to be applied together with others.
    package func put(_ value: [UInt8], at address: Address) throws -> RecordChange {
        let word = word(of: address)
        return .put(table: address.table, key: word, value: try key.seal(value, as: "\(address.table)/\(word)"))
    }

    /// The change that drops a record.
    package func remove(_ address: Address) -> RecordChange {
        .remove(table: address.table, key: word(of: address))
    }

    /// The change that drops a group.
    package func removeAll(in table: String, group: String) -> RecordChange {
        .removeAll(table: table, prefix: groupWord(group, table) + "/")
    }

    /// Makes all changes or none; returns after they are durable.
    package func apply(_ changes: [RecordChange]) async throws {
        guard !changes.isEmpty else { return }
        try await records.apply(changes)
    }

    private func word(of address: Address) -> String {
        groupWord(address.group, address.table) + "/" + key.blind("\(address.table)\n\(address.group)\n\(address.name)")
    }

    private func groupWord(_ group: String, _ table: String) -> String {
        groupWords.word(of: "\(table)\n\(group)") { key.blind($0) }
    }

    /// Words of groups that were made: thousands of records of few groups are read and written together.
    private final class GroupWords: Sendable {
        private static let most = 512
        private let words = Mutex<[String: String]>([:])

        func word(of group: String, _ make: (String) -> String) -> String {
            if let word = words.withLock({ $0[group] }) { return word }
            let word = make(group)
            words.withLock { words in
                if words.count >= Self.most { words = [:] }
                words[group] = word
            }
            return word
        }
    }
}
