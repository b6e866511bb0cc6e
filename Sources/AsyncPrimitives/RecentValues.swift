/// Values of the keys that were set last; the others are forgotten, those set longest ago first.
///
/// Kept as two generations, of which the older goes as a whole when the younger is full: each newcomer costs the same,
/// however many keys somebody invents.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let generation: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter capacity: how many are remembered at most; half as many always are.
    package init(capacity: Int) {
        generation = max(capacity / 2, 1)
    }

    /// What is remembered of a key.
    package subscript(key: Key) -> Value? { young[key] ?? old[key] }

    /// Sets the value of a key.
    package mutating func set(_ value: Value, for key: Key) {
        if young[key] == nil, young.count >= generation {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
