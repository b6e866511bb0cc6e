public import NostrClient

/// The relays of an account, and how complete what it reads is.
public struct RelaysPage: Equatable, Sendable {
    /// The relays, those that serve most people first.
    public let relays: [RelayItem]
    /// The people read, the least complete first.
    public let coverage: [CoverageItem]
    /// Who is read where, laid out to be drawn.
    public let map: RelayMap

    /// Those that the account itself reads or writes.
    public var ownRelays: [RelayItem] { relays.filter { $0.isOwnRead || $0.isOwnWrite } }
    /// Those that are there for the people who are read.
    public var otherRelays: [RelayItem] { relays.filter { !$0.isOwnRead && !$0.isOwnWrite } }

    /// People of whom every relay asked sent all it holds.
    public var fullyHeard: Int { coverage.count { $0.isComplete } }
    /// People of whom at least one relay sent all it holds.
    public var heard: Int { coverage.count { $0.complete > 0 } }
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

extension RelaysPage {
    /// The relays as they stand.
    public static func load(from network: any NetworkReporting) async throws(Trouble) -> RelaysPage {
        try await troubled {
            async let reports = network.relays()
            async let authors = network.coverage()
            return try await RelaysPage(relays: reports, coverage: authors)
        }
    }
}
