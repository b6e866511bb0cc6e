internal import FoundationEssentials
internal import NostrCore
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// Which relays that should hold the account's own lists never answer, kept over restarts.
///
/// A list is replaced only after enough relays said what they have of it, and a relay that is no more, or never was,
/// must not forbid that for ever. A day on which a relay gave no answer counts when another relay gave one, so that being
/// offline says nothing of anybody. Shape on disk: table `silent-relays`, key the relay's address, value JSON.
final class SilentRelays: Sendable {
    /// What is known of one relay.
    struct Silence: Hashable, Codable {
        /// Whether it ever answered.
        var hasAnswered: Bool
        /// On how many days in a row of asking it did not.
        var days: Int
        /// The last of these days, counted from 1970.
        var lastDay: Int64
        /// Whether its name was not even known, the last time.
        var isNameless: Bool
    }

    /// A relay that never answered is gone after so many days on which it was asked in vain.
    static let daysOfNewcomer = 3
    /// One that answered once is waited for longer: what another device wrote may be there alone.
    static let daysOfLost = 14
    private static let table = "silent-relays"

    private let records: any RecordStore
    private let silences = Mutex<[RelayURL: Silence]>([:])

    init(_ records: any RecordStore) {
        self.records = records
    }

    /// Reads what was kept.
    func load() async throws {
        let saved = try await records.records(in: Self.table)
        silences.withLock { silences in
            for record in saved {
                // What cannot be read counts as a relay of which nothing is known.
                guard let relay = try? RelayURL(record.key), silences[relay] == nil,
                    let silence = try? JSONDecoder().decode(Silence.self, from: Data(record.value))
                else { continue }
                silences[relay] = silence
            }
        }
    }

    /// Takes in how one question to several relays ended.
    func note(_ endings: [RelayURL: RelayEnding], now: Timestamp) async throws {
        guard endings.values.contains(.complete) else { return }
        let day = now.seconds / 86_400
        let changes: [RecordChange] = silences.withLock { silences in
            endings.compactMap { relay, ending in
                let before = silences[relay]
                let after = Silence(before, after: ending, on: day)
                guard after != before, let after else { return nil }
                silences[relay] = after
                return Self.change(relay, after)
            }
        }
        if !changes.isEmpty { try await records.apply(changes) }
    }

    /// Those of some relays that do not count any more.
    func gone(among relays: Set<RelayURL>) -> Set<RelayURL> {
        silences.withLock { silences in relays.filter { silences[$0]?.isGone ?? false } }
    }

    private static func change(_ relay: RelayURL, _ silence: Silence) -> RecordChange? {
        // A value of numbers and truths can always be encoded.
        guard let data = try? JSONEncoder().encode(silence) else { return nil }
        return .put(table: table, key: relay.text, value: [UInt8](data))
    }
}

extension SilentRelays.Silence {
    /// What is known after one more answer, or none; `nil` when it says nothing.
    fileprivate init?(_ before: Self?, after ending: RelayEnding, on day: Int64) {
        switch ending {
        case .complete: self.init(hasAnswered: true, days: 0, lastDay: 0, isNameless: false)
        case .failed(let failure), .notAsked(.failedBefore(let failure)):
            self.init(before, silentOn: day, isNameless: failure == .nameNotFound)
        case .deadline: self.init(before, silentOn: day, isNameless: false)
        // It is there, and says no; or it was us.
        case .closed, .unauthenticated, .notAsked:
            guard let before else { return nil }
            self = before
        }
    }

    private init(_ before: Self?, silentOn day: Int64, isNameless: Bool) {
        self = before ?? Self(hasAnswered: false, days: 0, lastDay: -1, isNameless: false)
        self.isNameless = isNameless
        guard day > lastDay else { return }
        days += 1
        lastDay = day
    }

    fileprivate var isGone: Bool {
        if hasAnswered { return days >= SilentRelays.daysOfLost }
        // No host of that name: a slip of the pen, and nobody else reaches it either.
        return isNameless || days >= SilentRelays.daysOfNewcomer
    }
}
