import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrWorld

/// The simulated Nostr behind `serve --demo`.
///
/// What began it is kept for a day, so that a restart finds the same people and notes, and what is on disk still fits.
/// After that a new play begins and the old events go; keys made in the demo stay.
struct DemoPlay: Sendable {
    /// The person of the simulated network that you can be.
    let person: DemoPerson
    /// Routing for a network on loopback.
    let configuration: AccountConfiguration
    /// Where the world's pictures come from, as `http://host:port`.
    let pictures: String
    /// Every relay of the world.
    let relays: Set<RelayURL>
    /// What its domains say of their names.
    let names: DemoNames
    /// What its places of payment say of themselves.
    let payees: DemoPayees
    /// The sites that its people link to.
    let sites: DemoSites
    /// What its people sent sealed.
    let blobs: DemoBlobs
    /// Its media servers.
    let media: DemoMedia
    /// Where browsers load files of these, as `http://host:port` each.
    let mediaHosts: [String]
    /// Where its hosts are.
    let hosts: WorldHosts
    /// Where a family's circle is: relays that take everything, and one that lies.
    let circleRelays: [RelayURL]
    /// When it began.
    let beganAt: Timestamp
    private let network: WorldNetwork

    private static let seed: UInt64 = 1961
    /// Ports that programs seldom use; the world's texts name them.
    private static let firstPorts = Array(stride(from: 24_690, through: 25_690, by: 100))

    /// Opens the world in a prepared directory, the one that played before if it is not a day old.
    ///
    /// - Throws: a ``CommandFailure`` when no ports are free.
    static func open(_ size: DemoWorld, in directory: DataDirectory, log: Logger) async throws -> DemoPlay {
        let kept = Beginning.read(from: directory, size)
        if kept == nil { try directory.removeEvents() }
        for firstPort in kept.map({ [$0.firstPort] }) ?? firstPorts {
            let beginning = Beginning(
                at: kept?.at ?? Timestamp.current.seconds, firstPort: firstPort, world: size)
            let network = WorldNetwork(
                seed: seed, size: size.size, firstPort: firstPort, historyEnds: Timestamp(seconds: beginning.at),
                clock: ContinuousClock(), now: { .current }, log: Logger(label: "linnet.world"))
            do {
                let addresses = try await network.start()
                try beginning.write(to: directory)
                return try await DemoPlay(network, at: addresses, beganAt: Timestamp(seconds: beginning.at))
            } catch is WorldPortTaken {
                log.info("ports of the simulated Nostr are taken", metadata: ["first": "\(firstPort)"])
            }
        }
        throw CommandFailure(
            "The simulated Nostr finds no free ports: is another `linnet serve --demo` running on this machine?")
    }

    private init(_ network: WorldNetwork, at addresses: WorldAddresses, beganAt: Timestamp) async throws {
        guard let world = await network.world, let mediaServers = await network.mediaServers else {
            throw CommandFailure("The simulated Nostr did not start.")
        }
        media = DemoMedia(servers: mediaServers, pictures: WorldPictures(world))
        blobs = DemoBlobs(files: WorldSealedBlobs(world), media: media)
        mediaHosts = mediaServers.hosts
        self.network = network
        pictures = addresses.pictures
        relays = Set(addresses.relays.map(\.address))
        hosts = WorldHosts(addresses)
        names = DemoNames(names: WorldNames(world))
        payees = DemoPayees(payees: WorldPayees(world))
        sites = DemoSites(sites: WorldSites(world))
        self.beganAt = beganAt
        let liar = addresses.relays.first { $0.trait == .forging }?.address
        circleRelays = Array(Self.everyday(addresses).prefix(2)) + [liar].compactMap { $0 }
        let signer = try world.withHeroKey { key in LocalSigner(try key.withBytes { try SecretKey($0) }) }
        person = DemoPerson(signer: signer, name: world.heroPerson.name)
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(
                indexers: addresses.indexers, fallback: Self.everyday(addresses), allowsPrivateRelays: true),
            searchRelays: addresses.indexers)
        let everyday = Self.everyday(addresses)
        configuration.mediaServers = mediaServers.addresses.dropFirst().prefix(1).compactMap { MediaServer($0) }
        configuration.firstRun.usualRelays = everyday
        configuration.firstRun.activePeople = everyday
        configuration.firstRun.relayMonitors = everyday
        configuration.firstRun.topicLists = everyday.map {
            FirstRunSources.TopicList(relay: $0, identifier: WorldTopics.identifier)
        }
        self.configuration = configuration
    }

    /// Where a server of the world counts what is trending.
    var trends: String { pictures.replacing("http://", with: "ws://") }

    /// Relays that take everybody's notes, for accounts made here: an indexer would refuse them.
    private static func everyday(_ addresses: WorldAddresses) -> [RelayURL] {
        Array(addresses.relays.filter { $0.trait == .reliable || $0.trait == .commons }.map(\.address).prefix(3))
    }

    /// Serves the world until cancelled.
    func run() async {
        await network.run()
    }
}

/// What began a play, in a file beside its data.
private struct Beginning: Codable {
    /// Seconds since 1970.
    let at: Int64
    let firstPort: Int
    /// How large it is; a town where none is named.
    let world: DemoWorld?

    /// One day.
    static let lifetime: Int64 = 86_400

    static func read(from directory: DataDirectory, _ world: DemoWorld) -> Beginning? {
        // No file, or one that cannot be read: then nothing on disk can be trusted to fit, and a new play begins.
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: directory.play)),
            let kept = try? JSONDecoder().decode(Beginning.self, from: bytes)
        else { return nil }
        guard kept.world ?? .town == world else { return nil }
        return kept.at + lifetime > Timestamp.current.seconds ? kept : nil
    }

    func write(to directory: DataDirectory) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: directory.play), options: .atomic)
    }
}

/// How large the simulated Nostr of the demo is.
enum DemoWorld: String, Codable, CaseIterable {
    /// 320 people with four months of history.
    case town
    /// 60 people with three weeks of history: quick to start, for tests whose subject is not the network.
    case hamlet

    var size: WorldSize { self == .town ? .town : .hamlet }
}
