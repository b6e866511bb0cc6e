public import NostrClient

/// The relays of an account, and how complete what it reads is.
public struct RelaysPage: Equatable, Sendable {
    /// The relays, those that serve most people first.
    public let relays: [RelayItem]
    /// The people read, the least complete first.
    public let coverage: [CoverageItem]
    /// Who is read where, laid out to be drawn.
    public let map: RelayMap

    /// How complete messages and notifications are.
    public private(set) var inbound: [InboundSummary] = []

    /// Those that the account itself reads or writes.
    public var ownRelays: [RelayItem] { relays.filter { $0.isOwnRead || $0.isOwnWrite } }
    /// Those that are there for the people who are read; first those that the person is asked about.
    public var otherRelays: [RelayItem] {
        let others = relays.filter { !$0.isOwnRead && !$0.isOwnWrite }
        return others.filter(\.awaitsPermission) + others.filter { !$0.awaitsPermission }
    }

    /// People of whom every relay asked sent all it holds.
    public var fullyHeard: Int { coverage.count { $0.isComplete } }
    /// People of whom at least one relay sent all it holds.
    public var heard: Int { coverage.count { $0.complete > 0 } }
    /// How many relays, or people, a page lists.
    public static let rowsAtOnce = 50

    /// Some of the relays of others, in order.
    public func relays(from start: Int) -> RowsPage<RelayItem> { RowsPage(otherRelays, from: start) }
    /// Some of the people, in order.
    public func people(from start: Int) -> RowsPage<CoverageItem> { RowsPage(coverage, from: start) }

    /// Relays connected now.
    public var connected: Int { relays.count { $0.health == .connected } }

    /// Orders what an account reports, and lays out its map.
    public init(relays reports: [RelayReport], coverage authors: [AuthorCoverage]) {
        let relays = reports.map(RelayItem.init).sorted {
            $0.people == $1.people ? $0.address < $1.address : $0.people > $1.people
        }
        let coverage = authors.map(CoverageItem.init).sorted {
            $0.share == $1.share ? $0.person.name < $1.person.name : $0.share < $1.share
        }
        self.relays = relays
        self.coverage = coverage
        map = RelayMap(relays: relays, coverage: coverage)
    }
}

/// A part of a long list.
public struct RowsPage<Row: Sendable>: Sendable {
    /// The rows of this part.
    public let rows: ArraySlice<Row>
    /// Where the part before begins; `nil` for the first.
    public let previous: Int?
    /// Where the next part begins; `nil` for the last.
    public let next: Int?

    /// The part that begins at a row; a row that is not there begins at the nearest that is.
    init(_ all: [Row], from start: Int) {
        let size = RelaysPage.rowsAtOnce
        let first = min(max(start, 0), max(all.count - 1, 0))
        rows = all[first...].prefix(size)
        previous = first > 0 ? max(first - size, 0) : nil
        next = rows.endIndex < all.endIndex ? rows.endIndex : nil
    }
}

extension RelaysPage {
    /// The relays as they stand.
    public static func load(from network: any NetworkReporting) async throws(Trouble) -> RelaysPage {
        try await troubled {
            async let reports = network.relays()
            async let authors = network.coverage()
            async let inbound = InboundSummary.load(from: network)
            var page = try await RelaysPage(relays: reports, coverage: authors)
            page.inbound = await inbound
            return page
        }
    }
}
