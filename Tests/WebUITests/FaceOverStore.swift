import AccountTesting
import AsyncPrimitives
import Logging
import NostrClient
import NostrCore
import NostrSigner
import NostrStore
import NostrTesting
import ScreenTesting
import ViewModels

@testable import WebUI

/// A web face over Alice's real account, whose store holds what a test gives it; no relay has more.
struct FaceOverStore {
    static let now = Timestamp(seconds: 1_700_010_000)

    let face: WebFace
    let store: MemoryEventStore

    init(_ events: [Event]) async throws {
        let clock = ManualClock()
        store = MemoryEventStore(now: { Self.now })
        _ = await store.save(events, from: nil)
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(
                indexers: [try RelayURL("wss://index.example")], fallback: [try RelayURL("wss://fallback.example")]),
            searchRelays: [try RelayURL("wss://search.example")])
        configuration.coalescing = .zero
        configuration.tendsInbox = false
        let alice = TestPerson.alice
        let account = LiveAccount(
            publicKey: alice.publicKey, signer: LocalSigner(alice.secretKey, random: SeededRandom(seed: 1)),
            store: store, records: MemoryRecordStore(), versions: store, network: ScriptedNetwork(clock: clock),
            configuration: configuration, time: Time(clock: clock, now: { Self.now }),
            randomness: SeededRandom(seed: 2))
        let opening = FakeOpening(account, lives: true)
        let settings = SettingsInMemory(Settings(first: PersonalSettings(remoteMedia: .always)))
        face = try WebFace(
            opening: opening, settings: settings, personal: settings,
            time: Time(clock: clock, now: { Self.now }),
            logger: Logger(label: "web face over a store") { _ in SwiftLogNoOpLogHandler() })
    }
}
