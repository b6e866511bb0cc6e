internal import AsyncPrimitives
public import Logging
public import NostrCore
public import NostrStore
internal import RelayServer
internal import Synchronization
internal import WebSocketNIO

/// Where to find what in a running world.
public struct WorldAddresses: Sendable {
    /// Relays that know everybody's profile, follow list and relay list.
    public let indexers: [RelayURL]
    /// Every relay, with its manner.
    public let relays: [WorldRelay]
    /// Relays of people's lists that no longer answer.
    public let dead: [RelayURL]
    /// Where the world's pictures are served, without a slash at the end.
    public let pictures: String
    /// The demo person.
    public let hero: PublicKey
    /// Where a server counts what is trending: on the port of the pictures.
    public var trends: RelayURL? { try? RelayURL(pictures.replacing("http://", with: "ws://")) }
}

/// A port of the world could not be had: something else listens there.
public struct WorldPortTaken: Error, Hashable, Sendable {
    /// Which one; 0 where any would have done.
    public let port: Int
}

/// Runs a ``World`` on loopback: every relay with real WebSockets, its pictures over HTTP, and new notes all the time.
///
/// ``start()`` opens the ports and fills the relays, ``run()`` serves until its task is cancelled.
public actor WorldNetwork {
    /// The world, once started.
    public private(set) var world: World?

    /// What was asked for when the network was made.
    struct Plan {
        let seed: UInt64
        let size: WorldSize
        let firstPort: Int?
        let historyEnds: Timestamp?
        let answerPause: Duration
    }

    /// What listens, relays by number.
    private struct Listeners {
        var sockets: [Int: WebSocketServer] = [:]
        var documents: [Int: DocumentBox] = [:]
        var silent: [Int: SilentListener] = [:]
        var pictures: WebSocketServer?
        /// Who waits for a relay's socket to end.
        var ended: [Int: [CheckedContinuation<Void, Never>]] = [:]
    }

    let plan: Plan
    let time: Time<Timestamp>
    private let log: Logger

    private(set) var hosts: [RelayHost] = []
    private let files = MediaServersBox()
    var answers: Answers
    private var listeners = Listeners()
    private var chronicle: Chronicle?
    private var streams: WorldStreams?
    private var attention: LiveAttention?
    private let notesPerMinute: Double
    private var following: LiveFollowing?
    /// Relays whose sockets are to be served, by number.
    private let launches = BoundedQueue<Int>(capacity: 256)

    /// - Parameters:
    ///   - seed: decides everything but the ports.
    ///   - size: how large.
    ///   - firstPort: ports from this one on, so that texts are the same each time; `nil` takes free ones.
    ///   - historyEnds: the moment up to which people have written already; `nil` for when the world starts.
    ///   - newPerMinute: how many new events come per minute; 0 for none.
    ///   - answerPause: how long people take to answer a private message of the demo person.
    ///   - clock: for slow relays and new notes.
    ///   - now: the moment.
    ///   - log: gets names of relays, no content.
    public init(
        seed: UInt64, size: WorldSize = .town, firstPort: Int? = nil, historyEnds: Timestamp? = nil,
        newPerMinute: Double = 20, answerPause: Duration = .seconds(2), clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp,
        log: Logger = Logger(label: "world")
    ) {
        plan = Plan(
            seed: seed, size: size, firstPort: firstPort, historyEnds: historyEnds, answerPause: answerPause)
        time = Time(clock: clock, now: now)
        self.log = log
        notesPerMinute = newPerMinute
        answers = Answers(dice: Dice(seed: seed ^ 0xA05_3E25))
    }

    /// The media servers, once started.
    public var mediaServers: WorldMediaServers? { files.servers }

    /// Opens the ports, writes history, fills the relays.
    ///
    /// - Throws: ``WorldPortTaken``.
    public func start() async throws -> WorldAddresses {
        let ports = try await openPorts()
        let world = try World(
            seed: plan.seed, size: plan.size, now: plan.historyEnds ?? time.now(), ports: ports)
        hosts = world.relays.map { relay in
            RelayHost(
                relay, members: world.placement.members(of: relay, people: world.people), time: time, log: log)
        }
        for host in hosts { listeners.documents[host.relay.number]?.fill(host.server.document) }
        try await fill(hosts, from: world)
        self.world = world
        files.fill(WorldMediaServers(port: ports.pictures, now: time.now))
        chronicle = world.chronicle
        streams = world.streams
        attention = LiveAttention(world, seed: plan.seed)
        following = LiveFollowing(world, seed: plan.seed)
        for number in listeners.sockets.keys.sorted() { launches.sendNow(number) }
        return WorldAddresses(
            indexers: world.relays.filter { $0.trait == .indexer || $0.trait == .commons }.map(\.address),
            relays: world.relays, dead: world.dead, pictures: world.pictures, hero: world.heroPerson.publicKey)
    }

    /// Serves until the task is cancelled.
    public func run() async {
        let (hosts, pictures) = (hosts, listeners.pictures)
        let trends = world.map { WorldTrends($0) }
        await withDiscardingTaskGroup { group in
            for host in hosts { group.addTask { await host.server.run() } }
            if let pictures {
                group.addTask { await pictures.run { connection in await trends?.serve(connection) } }
            }
            group.addTask { await self.keepWriting() }
            group.addTask { await self.keepAnswering() }
            while let number = await launches.receive() {
                guard let socket = listeners.sockets[number] else {
                    socketEnded(number)
                    continue
                }
                let host = hosts[number]
                group.addTask {
                    await socket.run { connection in await host.serve(connection) }
                    await self.socketEnded(number)
                }
            }
        }
    }

    /// Closes a relay's port and connections, while ``run()`` runs; what it holds stays.
    public func kill(_ relay: RelayURL) async {
        guard let number = hosts.first(where: { $0.relay.address == relay })?.relay.number,
            let socket = listeners.sockets.removeValue(forKey: number)
        else { return }
        socket.beginShutdown()
        await withCheckedContinuation { listeners.ended[number, default: []].append($0) }
    }

    /// Opens a killed relay's port again, while ``run()`` runs.
    public func revive(_ relay: RelayURL) async throws {
        guard let host = hosts.first(where: { $0.relay.address == relay }), listeners.sockets[host.relay.number] == nil,
            host.relay.isAlive
        else { return }
        _ = try await open(host.relay.number, port: relay.port)
        launches.sendNow(host.relay.number)
    }

    /// What clients can know: the ids that living, readable relays hold of these authors.
    ///
    /// - Parameters:
    ///   - kinds: of which kinds.
    ///   - since: the beginning of the window.
    public func readableEvents(of authors: Set<PublicKey>, kinds: Set<Kind>, since: Timestamp) async -> Set<EventID> {
        var ids: Set<EventID> = []
        for host in hosts where host.relay.isReadable && listeners.sockets[host.relay.number] != nil {
            var from = since
            if case .pruning(let days) = host.relay.trait { from = max(since, time.now() - .seconds(86_400 * days)) }
            let events = await host.store.query([Filter(authors: authors, kinds: kinds, since: from)])
            ids.formUnion(events.lazy.map(\.id))
        }
        return ids
    }

    /// What one relay holds, whatever it tells its clients.
    public func events(on relay: RelayURL, matching filter: Filter) async -> [Event] {
        guard let host = hosts.first(where: { $0.relay.address == relay }) else { return [] }
        return await host.store.query([filter])
    }

    /// What one relay takes in and drops from now on; nothing where there is no such relay.
    public func changes(on relay: RelayURL) async -> AsyncStream<StoreChange> {
        guard let host = hosts.first(where: { $0.relay.address == relay }) else { return AsyncStream { $0.finish() } }
        return await host.store.changes()
    }
}

// Opening and filling.
extension WorldNetwork {
    private func openPorts() async throws -> WorldPorts {
        var ports = WorldPorts(relays: [], pictures: 0)
        for (number, blueprint) in WorldRelay.blueprints(plan.size.relays).enumerated() {
            let wanted = plan.firstPort.map { $0 + number } ?? 0
            do {
                if blueprint.trait == .silent {
                    let listener = try SilentListener(port: wanted)
                    listeners.silent[number] = listener
                    ports.relays.append(listener.port)
                } else {
                    ports.relays.append(try await open(number, port: wanted))
                }
            } catch {
                throw WorldPortTaken(port: wanted)
            }
        }
        let pictures = try await openPictures(port: plan.firstPort.map { $0 + plan.size.relays } ?? 0)
        listeners.pictures = pictures
        ports.pictures = pictures.port
        return ports
    }

    private func open(_ number: Int, port: Int) async throws -> Int {
        let document = listeners.documents[number] ?? DocumentBox()
        listeners.documents[number] = document
        let socket = try await WebSocketServer.bind(
            configuration(port: port), logger: log, respond: { document.answer($0) })
        listeners.sockets[number] = socket
        return socket.port
    }

    private func openPictures(port: Int) async throws -> WebSocketServer {
        do {
            return try await WebSocketServer.bind(
                configuration(port: port), logger: log, accepts: { WorldTrends.List($0.target) != nil },
                respond: { [files] request in
                    files.servers.map { answerFile(request, $0) } ?? answerPicture(request)
                })
        } catch {
            throw WorldPortTaken(port: port)
        }
    }

    private func configuration(port: Int) -> WebSocketServer.Configuration {
        WebSocketServer.Configuration(
            port: port, connections: ConnectionLimits(all: 256, perAddress: 256), drainDeadline: .milliseconds(200))
    }

    private func fill(_ hosts: [RelayHost], from world: World) async throws {
        var shares = Array(repeating: [Event](), count: hosts.count)
        // Newest first: so each event goes to the end of a store's list, and none is put in to be replaced at once.
        for (event, holders) in zip(world.events, world.holders).reversed() {
            for number in holders { shares[number].append(event) }
        }
        await withDiscardingTaskGroup { group in
            for (host, share) in zip(hosts, shares) {
                group.addTask { _ = await host.store.save(share, from: nil) }
            }
        }
    }

    private func socketEnded(_ number: Int) {
        for waiting in listeners.ended.removeValue(forKey: number) ?? [] { waiting.resume() }
    }
}

// New notes.
extension WorldNetwork {
    private func keepWriting() async {
        while !Task.isCancelled {
            let rate = notesPerMinute
            let pause: Duration = rate > 0 ? .seconds(60 / rate) : .seconds(1)
            do {
                try await time.sleep(for: pause)
            } catch {
                return
            }
            if rate > 0 { await writeSomething() }
        }
    }

    /// Lets somebody write something now, and hands it to the relays that take it.
    ///
    /// - Returns: what was written.
    @discardableResult
    public func writeSomething() async -> [Event] {
        guard let world, var chronicle else { return [] }
        let now = time.now()
        let heroNotes = await recentPostsOfHero(world, [1], since: now - .seconds(1200), limit: 5)
        let posts = await recentPostsOfHero(
            world, LiveAttention.noticed, since: now - .seconds(3 * 86_400), limit: 20)
        chronicle.live(at: now, heroNotes: heroNotes)
        var written = chronicle.takeWritten()
        self.chronicle = chronicle
        streams?.live(at: now)
        let said = streams?.takeWritten() ?? []
        attention?.live(at: now, posts: posts, lines: said)
        following?.live(at: now, posts: posts, lines: said)
        written += said + (attention?.takeWritten() ?? []) + (following?.takeWritten() ?? [])
        for item in written {
            for number in world.placement.relays(for: item) where listeners.sockets[number] != nil {
                _ = await hosts[number].store.save([item.event], from: nil)
            }
        }
        return written.map(\.event)
    }

    private func recentPostsOfHero(
        _ world: World, _ kinds: Set<Kind>, since: Timestamp, limit: Int
    ) async -> [Event] {
        let question = Filter(authors: [world.heroPerson.publicKey], kinds: kinds, since: since, limit: limit)
        for number in world.choices[world.hero].writes where hosts.indices.contains(number) {
            let notes = await hosts[number].store.query([question])
            if !notes.isEmpty { return notes }
        }
        return []
    }
}
