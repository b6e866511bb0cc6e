internal import NostrCore

/// A client as those see it who share something out: one connection of an address.
struct Asker: Hashable, Sendable {
    /// Where a client comes from.
    enum Address: Hashable, Sendable {
        case network(IPAddress)
        /// What the socket layer named otherwise.
        case named(String)

        /// Whether many clients may come from there: it is on this machine or in a near network, so perhaps a proxy's.
        var isShared: Bool {
            guard case .network(let address) = self else { return true }
            return address.isPrivate
        }
    }

    let address: Address
    let connection: UInt64

    init(_ peer: String, connection: UInt64) {
        address = IPAddress(peer).map { .network($0.network) } ?? .named(peer)
        self.connection = connection
    }
}

/// Whose turn it is: of the addresses that which has had the least, of its connections that which has had the least.
///
/// Of equals, who waits for the fewest things goes first, then who waits longest.
struct FairQueue<Element> {
    private struct Entry {
        var element: Element
        var number: UInt64
        var cost: Int
    }

    /// What waits from one address.
    private struct Line {
        var shares: Shares<UInt64>
        var waiting: [UInt64: [Entry]] = [:]
        /// Smaller for the line that goes first among equals.
        var rank: (Int, UInt64) {
            (waiting.values.reduce(0) { $0 + $1.count }, waiting.values.lazy.compactMap(\.first?.number).min() ?? .max)
        }
    }

    private var shares: Shares<Asker.Address>
    private var lines: [Asker.Address: Line] = [:]
    private var lastNumber: UInt64 = 0
    private let headStart: Int
    /// How many wait.
    private(set) var count = 0

    /// - Parameter headStart: how much before the others a newcomer is, as a cost.
    init(headStart: Int) {
        self.headStart = headStart
        shares = Shares(headStart: headStart)
    }

    /// Somebody waits for something of an expected cost.
    mutating func add(_ element: Element, of asker: Asker, cost: Int) {
        lastNumber += 1
        count += 1
        let entry = Entry(element: element, number: lastNumber, cost: cost)
        let fresh = Line(shares: Shares(headStart: headStart))
        lines[asker.address, default: fresh].waiting[asker.connection, default: []].append(entry)
    }

    /// Whose turn it is; the expected cost is theirs from now on.
    mutating func next() -> (asker: Asker, element: Element)? {
        let address = lines.min { a, b in
            let (costA, costB) = (shares.cost(of: a.key), shares.cost(of: b.key))
            return costA != costB ? costA < costB : a.value.rank < b.value.rank
        }
        guard let (address, line) = address else { return nil }
        let connection = line.waiting.min { a, b in
            let (costA, costB) = (line.shares.cost(of: a.key), line.shares.cost(of: b.key))
            if costA != costB { return costA < costB }
            return (a.value.count, a.value.first?.number ?? .max) < (b.value.count, b.value.first?.number ?? .max)
        }
        guard let connection, let entry = connection.value.first else { return nil }
        remove(1, of: connection.key, at: address)
        lines[address]?.shares.serve(connection.key, cost: entry.cost)
        shares.serve(address, cost: entry.cost)
        return (Asker(address: address, connection: connection.key), entry.element)
    }

    /// Something cost more than expected, or less.
    mutating func add(_ cost: Int, to asker: Asker) {
        lines[asker.address]?.shares.add(cost, to: asker.connection)
        shares.add(cost, to: asker.address)
    }

    /// Somebody waits no longer.
    ///
    /// - Returns: what they waited with.
    mutating func remove(_ asker: Asker) -> [Element] {
        let waiting = lines[asker.address]?.waiting[asker.connection] ?? []
        remove(waiting.count, of: asker.connection, at: asker.address)
        return waiting.map(\.element)
    }

    /// What fulfils a condition waits no longer.
    mutating func remove(where condition: (Element) -> Bool) -> [Element] {
        var removed: [Element] = []
        for (address, line) in lines {
            for (connection, entries) in line.waiting {
                let gone = entries.filter { condition($0.element) }
                guard !gone.isEmpty else { continue }
                removed += gone.map(\.element)
                lines[address]?.waiting[connection]?.removeAll { condition($0.element) }
                remove(0, of: connection, at: address)
                count -= gone.count
            }
        }
        return removed
    }

    private mutating func remove(_ entries: Int, of connection: UInt64, at address: Asker.Address) {
        count -= entries
        lines[address]?.waiting[connection]?.removeFirst(entries)
        if lines[address]?.waiting[connection]?.isEmpty == true { lines[address]?.waiting[connection] = nil }
        if lines[address]?.waiting.isEmpty == true { lines[address] = nil }
    }
}

extension Asker {
    fileprivate init(address: Address, connection: UInt64) {
        (self.address, self.connection) = (address, connection)
    }
}
