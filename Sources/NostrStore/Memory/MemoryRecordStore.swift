/// A record store that forgets when the program ends: for tests, previews and simulated people.
public actor MemoryRecordStore: RecordStore {
    // Keyed by UTF-8 bytes: `String` would take canonically equivalent keys for the same one.
    private var tables: [String: [[UInt8]: Record]] = [:]

    /// An empty store.
    public init() {}

    /// The value of a key, or `nil`.
    public func value(_ key: String, in table: String) -> [UInt8]? {
        tables[table]?[Array(key.utf8)]?.value
    }

    /// The records whose keys start with a prefix, in the order of their keys.
    public func records(in table: String, prefix: String) -> [Record] {
        let prefix = Array(prefix.utf8)
        let found = (tables[table] ?? [:]).filter { $0.key.starts(with: prefix) }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// Makes all changes, in order.
    public func apply(_ changes: [RecordChange]) {
        for change in changes {
            switch change {
            case .put(let table, let key, let value):
                tables[table, default: [:]][Array(key.utf8)] = Record(key: key, value: value)
            case .remove(let table, let key):
                tables[table]?[Array(key.utf8)] = nil
            case .removeAll(let table, let prefix):
                let prefix = Array(prefix.utf8)
                tables[table] = tables[table]?.filter { !$0.key.starts(with: prefix) }
            }
        }
    }
}
