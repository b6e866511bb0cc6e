import AccountTesting
import Location
import LocationTesting
import Marmot
import NostrCore
import NostrRelay
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// Alice shares her place with a circle that Bob founded.
struct SharingBench {
    let mail: MailBench
    /// From where Alice's place is read.
    let aliceSource = LocationSourceSetting()
    let relayOfCircle = relay("circle")
    let aliceRecords = MemoryRecordStore()
    let bobRecords = MemoryRecordStore()

    init() { mail = .withCircles(sources: [.alice: aliceSource]) }

    /// Every minute, as exactly as it is.
    static let everyMinute = SharingSettings(interval: SharingInterval(clamping: 60))

    /// Runs both accounts with a circle that both are in.
    ///
    /// - Parameter media: where Bob keeps files.
    func running(
        media: MediaAccess? = nil, _ body: (_ alice: MailPerson, _ bob: MailPerson, _ id: CircleID) async throws -> Void
    ) async throws {
        mail.layOut(.alice, .bob)
        let alice = mail.person(.alice, records: aliceRecords)
        let bob = mail.person(.bob, records: bobRecords, media: media)
        try await alice.unlock()
        try await bob.unlock()
        try await mail.running(alice, bob) {
            try await mail.eventually("lists are known") {
                let (one, other) = (await alice.account.state().inbox, await bob.account.state().inbox)
                return !one.isEmpty && !other.isEmpty
            }
            let id = try await bob.circles.membership.create("Family", about: "", relays: [relayOfCircle])
            try await mail.join(alice, id, of: bob)
            try await mail.eventually("alice is connected") {
                try await alice.circles.reader.health(of: id).relays[relayOfCircle] == true
            }
            try await body(alice, bob, id)
        }
    }

    /// A position of now, some metres east of home.
    func fix(metres: Double = 0, accuracy: Double = 10, battery: Int? = nil) throws -> Fix {
        try Places.fix(
            Int(mail.now.seconds - Places.start.seconds), metres: metres, accuracy: accuracy, battery: battery)
    }

    /// Alice's device tells where it is, and Bob hears of it.
    @discardableResult
    func show(
        metres: Double = 0, battery: Int? = nil, _ alice: MailPerson, to bob: MailPerson, _ id: CircleID
    ) async throws -> Fix {
        let fix = try fix(metres: metres, battery: battery)
        try await alice.circles.sharing.receive(.fix(fix))
        try await mail.eventually("bob sees where alice is now") {
            try await bob.sees(alice, id)?.place?.moment == fix.moment
        }
        try await mail.eventually("alice knows that it arrived") {
            try await !isBusy(alice, id)
        }
        return fix
    }

    /// Whether something of Alice's sharing is on its way or waits to be.
    func isBusy(_ alice: MailPerson, _ id: CircleID) async throws -> Bool {
        guard let sharing = try await alice.circles.sharing.entries[id]?.record.sharing else { return false }
        return sharing.hasWaiting || sharing.isSending
    }

    /// Events of the circle that were offered.
    var offered: Int { mail.network.offers.count { $0.event.kind == .groupEvent } }

    func pass(_ seconds: Int) { mail.clock.advance(by: .seconds(seconds)) }
}

extension MailPerson {
    /// Somebody in a circle, as this person knows them.
    func sees(_ other: MailPerson, _ id: CircleID) async throws -> CircleMember? {
        try await circles.reader.page(of: id, before: nil, limit: 1).members.first { $0.id == other.key }
    }
}
