internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore

/// Finds who the members of circles are: the key packages that people published say which leaves are theirs.
///
/// Circles whose members change while relays are being asked are looked at together afterwards: one question about all
/// their people costs relays and us little, and one for each circle would cost much where there are many.
actor MemberVerification {
    /// When members who are not verified are looked for after a start, when again, and how often at last.
    ///
    /// What was said meanwhile comes before them.
    private static let first: Duration = .seconds(15), again: Duration = .seconds(600),
        seldom: Duration = .seconds(86_400)

    private let store: CircleStore
    private let work: CircleWork
    private let keyPackages: KeyPackages
    /// Circles that have not been looked at since their members changed.
    private var changed: Set<CircleID> = []
    private let due = Doorbell()

    init(store: CircleStore, work: CircleWork, keyPackages: KeyPackages) {
        (self.store, self.work, self.keyPackages) = (store, work, keyPackages)
    }

    /// The members of a circle have changed.
    func look(at id: CircleID) {
        changed.insert(id)
        due.ring()
    }

    /// Works until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.lookAgain() }
            while !Task.isCancelled {
                await verify()
                await due.wait()
            }
        }
    }

    private func verify() async {
        while !changed.isEmpty, !Task.isCancelled {
            let looked = changed
            changed = []
            var people: Set<PublicKey> = []
            for id in looked { people.formUnion(await store.circles[id]?.session?.unprovenPeople ?? []) }
            guard !people.isEmpty else { continue }
            do {
                let events = try await keyPackages.events(of: people)
                for id in looked { await prove(by: events, in: id) }
            } catch {
                report(error)
            }
        }
    }

    private func prove(by events: [Event], in id: CircleID) async {
        do { await work.plan(try await store.prove(by: events, in: id)) } catch { report(error) }
    }

    private func report(_ error: any Error) {
        // What comes for a circle that has just been left or wiped is no failure.
        if !(error is CircleError) { work.account.report("members could not be verified", error) }
    }

    /// Looks again for the key packages of members who are not verified, until cancelled.
    ///
    /// They may have been on no relay that answered when the members came. Ever more seldom, since some will never be
    /// found, and who asks tells relays whom they know.
    private func lookAgain() async {
        let clock = work.account.time.clock
        var (pause, next) = (Self.first, Self.again)
        while (try? await clock.sleep(for: pause)) != nil {
            for (id, circle) in await store.circles where circle.session?.unprovenPeople.isEmpty == false {
                look(at: id)
            }
            (pause, next) = (next, min(next * 2, Self.seldom))
        }
    }
}
