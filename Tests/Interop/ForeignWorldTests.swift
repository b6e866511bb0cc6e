import Foundation
import NostrCore
import NostrTesting
import Testing

@Suite(
    "a world on eight relays that nobody here wrote", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct ForeignWorldTests {
    private let reader = TestPerson.alice
    private let counts = NetworkCounts()

    /// How long each part took, for people to read.
    private struct Times {
        /// From login until 99.5 % were there, and until every question had ended.
        var login = Duration.zero, complete = Duration.zero
        /// From when it was written until it was there.
        var live = Duration.zero
        /// From the return of relays, of the program, and of a relay that had died while the program was away.
        var relays = Duration.zero, program = Duration.zero, relay = Duration.zero
        /// What of the window was there when every question had ended.
        var share = 0.0
    }

    @Test("what 120 people with messy lists wrote is found, and nothing is missed while relays or the program are away")
    func everythingIsFound() async throws {
        let folder = NSTemporaryDirectory() + "linnet-interop-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A folder that stays behind in the temporary one harms nobody.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await ForeignRelays.run(ForeignWorld.relays) { relays in
            let world = try ForeignWorld(seed: 17, follower: reader, on: relays, now: now())
            try await relays.put(world.lists + world.notes)
            let indexers = try ForeignWorld.indexers.map { try relays.address(of: $0) }
            var times = Times()
            try await AccountOnDisk.run(reader, in: folder, indexers: indexers, counts) { program in
                try await logIn(program, world, &times)
                try await outliveRelays(program, world, relays, &times)
                try await program.remembers(relays.ports[4])
            }
            let (missed, held) = try await whileAway(world, relays)
            try await AccountOnDisk.run(reader, in: folder, indexers: indexers, counts) { program in
                try await comeBack(program, relays, missed, held, &times)
            }
            // By much more than a slow machine makes it late.
            #expect(counts.figures.latest <= .seconds(20), "a question was not over at its deadline")
            report(times, world)
        }
    }

    /// What living relays hold of the week is found, on whichever of an author's relays it stands.
    private func logIn(_ program: AccountOnDisk, _ world: ForeignWorld, _ times: inout Times) async throws {
        times.login = try await program.holds(world.notes, share: 0.995, since: program.began, "login")
        // A relay that answers nothing is asked twice, and each time until the deadline.
        try await program.until(since: ContinuousClock.now, "every question has ended") {
            let open = counts.figures.open
            return open == 0 ? nil : "\(open) are open"
        }
        times.complete = program.began.duration(to: ContinuousClock.now)
        let lacking = try await program.lacks(world.notes)
        times.share = 1 - Double(lacking.count) / Double(world.notes.count)
        #expect(times.share >= 0.995)
    }

    /// Two relays die, notes come to them meanwhile, and they return; the others pass on what is written, and what reaches
    /// them late.
    private func outliveRelays(
        _ program: AccountOnDisk, _ world: ForeignWorld, _ relays: ForeignRelays, _ times: inout Times
    ) async throws {
        let dead = [2, 3]
        let ages: [Int64] = [0, 7000]
        for relay in dead { try await relays.stop(relay) }
        let missed = try world.moreNotes("while the relay was away", on: dead, ages: ages, now: now())
        try await relays.put(missed)
        let written = try world.moreNotes("while it was read", on: [0, 1, 4, 5, 7], ages: ages, now: now())
        let moment = ContinuousClock.now
        try await relays.put(written)
        times.live = try await program.holds(written, since: moment, "what is written while it is read")
        try await program.loses(dead.map { relays.ports[$0] })
        for relay in dead { try await relays.start(relay) }
        times.relays = try await program.holds(missed, since: ContinuousClock.now, "what came to relays that were away")
    }

    /// A relay dies and notes come while the program does not run.
    ///
    /// - Returns: what stands on relays that live, and what stands on the dead one alone.
    private func whileAway(
        _ world: ForeignWorld, _ relays: ForeignRelays
    ) async throws -> (missed: [PlacedEvent], held: [PlacedEvent]) {
        try await relays.stop(4)
        let ages: [Int64] = [0, 72_000]
        let missed = try world.moreNotes("while we were away", on: [0, 1, 2, 3, 5, 7], ages: ages, now: now())
        let held = try world.moreNotes("while both were away", on: [4], ages: ages, now: now())
        try await relays.put(missed + held)
        return (missed, held)
    }

    /// The program begins again: what came meanwhile is fetched at once, and of the dead relay when that is back.
    private func comeBack(
        _ program: AccountOnDisk, _ relays: ForeignRelays, _ missed: [PlacedEvent], _ held: [PlacedEvent],
        _ times: inout Times
    ) async throws {
        times.program = try await program.holds(missed, since: program.began, "what came while the program was away")
        try await program.loses([relays.ports[4]])
        try await relays.start(4)
        times.relay = try await program.holds(held, since: ContinuousClock.now, "what came while both were away")
    }

    private func report(_ times: Times, _ world: ForeignWorld) {
        func seconds(_ duration: Duration) -> String {
            let number: Double = duration / .seconds(1)
            return String(format: "%.1f s", number)
        }
        let figures = counts.figures
        let share = String(format: "%.2f %%", 100 * times.share)
        print(
            """
            foreign world: \(share) of \(world.notes.count) notes, 99.5 % after \(seconds(times.login)), all answered \
            after \(seconds(times.complete)); live after \(seconds(times.live)); after a return of relays \
            \(seconds(times.relays)), of the program \(seconds(times.program)), of a relay \(seconds(times.relay)); \
            \(figures.questions) questions, \(figures.requests) requests, \(figures.bytes) bytes sent, at most \
            \(seconds(max(.zero, figures.latest))) late
            """)
    }
}
