import Foundation
import NostrCore
import NostrRelay
import NostrTesting
import Testing

@Suite(
    "linnet serve, killed, among relays that nobody here wrote", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct KilledHomeTests {
    /// The relay that is dead when somebody logs in for the first time.
    private static let dead = 5
    /// The first rest of a relay that could not be reached is five seconds.
    private static let longerThanARest: Duration = .seconds(8)

    private let reader = TestPerson.alice
    /// What a program of this machine was given, and said that it had.
    private let handedOver = TestPerson.bob.event("handed over just before the end", at: now())
    private let written = "written just before the end"

    @Test("finds all that living relays hold, and loses nothing that it acknowledged")
    func nothingIsLost() async throws {
        let folder = NSTemporaryDirectory() + "linnet-killed-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // A folder that stays behind in the temporary one harms nobody.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try HomeProcess.addKey(of: reader, in: folder)
        try await ForeignRelays.run(ForeignWorld.relays) { relays in
            let world = try ForeignWorld(seed: 23, follower: reader, on: relays, now: now(), namesAllRelays: true)
            let indexers = try ForeignWorld.indexers.map { try relays.address(of: $0) }
            try await relays.put(world.lists + world.notes)
            try await relays.stop(Self.dead)
            try await withPool { pool in
                let seen = try await killedWhileGathering(folder, indexers, world, pool)
                let missed = try await killedAfterGathering(folder, indexers, world, relays, seen, pool)
                try await comeBack(folder, indexers, world, relays, missed, pool)
            }
        }
    }

    /// The first login of all, and a kill as soon as something has come.
    ///
    /// - Returns: what its relay gave out before that.
    private func killedWhileGathering(
        _ folder: String, _ indexers: [RelayURL], _ world: ForeignWorld, _ pool: RelayPool
    ) async throws -> [Event] {
        let home = try await HomeProcess.start(in: folder, indexers: indexers)
        let notes = world.notes.map(\.event)
        var missing = notes
        while missing.count == notes.count, home.began.duration(to: ContinuousClock.now) < AccountOnDisk.patience {
            missing = try await home.lacks(notes, pool)
        }
        try await home.strike()
        let lacking = Set(missing.map(\.id))
        let seen = notes.filter { !lacking.contains($0.id) }
        #expect(!seen.isEmpty, "nothing came before it was killed")
        print("killed home: killed while \(seen.count) of \(notes.count) notes had come")
        return seen
    }

    /// A second start, which finds all that living relays hold, then what the dead one holds; and another kill.
    ///
    /// - Returns: what came to relays while nothing ran.
    private func killedAfterGathering(
        _ folder: String, _ indexers: [RelayURL], _ world: ForeignWorld, _ relays: ForeignRelays, _ seen: [Event],
        _ pool: RelayPool
    ) async throws -> [PlacedEvent] {
        let home = try await HomeProcess.start(in: folder, indexers: indexers)
        let lost = try await home.lacks(seen, pool)
        #expect(lost.isEmpty, "what it had given out before it was killed is not there any more")
        let living = world.notes.filter { $0.relays != [Self.dead] }.map(\.event)
        let all = world.notes.map(\.event)
        let login = try await home.holds(living, share: 0.995, since: home.began, pool, "what living relays hold")
        // It was looked for at least twice in vain, and rests.
        try await Task.sleep(until: home.began + Self.longerThanARest, clock: .continuous)
        try await relays.start(Self.dead)
        let back = try await home.holds(
            all, share: 0.995, since: ContinuousClock.now, pool, "what the relay holds that was dead at the login")
        print("killed home: living relays after \(login), the one that had been dead \(back) after its return")
        try await home.unlock(reader)
        guard case .accepted = await pool.publish(handedOver, to: home.relay, deadline: .seconds(60)) else {
            throw HomeProcess.Surprise(description: "its relay took nothing")
        }
        try await home.write(written)
        try await home.strike()
        let missed = try world.moreNotes("while nothing ran", on: Array(0..<6), ages: [0, 7000], now: now())
        try await relays.put(missed)
        return missed
    }

    /// A third start: what was acknowledged is there, what was written goes out, and what came meanwhile is found.
    private func comeBack(
        _ folder: String, _ indexers: [RelayURL], _ world: ForeignWorld, _ relays: ForeignRelays,
        _ missed: [PlacedEvent], _ pool: RelayPool
    ) async throws {
        let home = try await HomeProcess.start(in: folder, indexers: indexers)
        let lost = try await home.lacks([handedOver], pool)
        #expect(lost.isEmpty, "an event was lost that its relay had acknowledged")
        try await home.holds(
            world.notes.map(\.event), share: 0.995, since: home.began, pool, "what was found before the kill")
        let took = try await home.holds(
            missed.map(\.event), since: home.began, pool, "what came to relays while nothing ran")
        print("killed home: what came while nothing ran after \(took)")
        try await goesOut(at: try relays.address(of: 0), pool)
        try await home.stop()
    }

    /// Waits until a relay has the note that a page had acknowledged.
    private func goesOut(at relay: RelayURL, _ pool: RelayPool) async throws {
        let began = ContinuousClock.now
        let filter = Filter(authors: [reader.publicKey], kinds: [1])
        while began.duration(to: ContinuousClock.now) < AccountOnDisk.patience {
            for await update in await pool.fetch([relay: [filter]], deadline: .seconds(5)) {
                guard case .events(let events, _) = update else { continue }
                if events.contains(where: { $0.content == written }) { return }
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        Issue.record("a note that a page had acknowledged never went out")
    }
}
