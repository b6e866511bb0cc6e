internal import AsyncPrimitives
internal import Location
internal import NostrClient
internal import NostrCore
internal import NostrStore

/// How the account's place is shared with one circle, as it rests in the vault.
struct SharingRecord: Codable, Sendable {
    /// The circle's id in hex.
    var circle: String
    /// Whether it is shared; the state stays when it is not, so that the blur's grid is the same the next time.
    var isOn: Bool
    var sharing: LocationSharing
    /// What was offered last, while no relay has taken it.
    var unsent: UnsentPlace?

    /// The names in what rests on the disk.
    private enum CodingKeys: String, CodingKey {
        case circle, isOn, sharing
        case unsent = "untaken"
    }
}

/// How the account's place is shared with all circles: what is open of the vault, and what waits for time to pass.
///
/// A value without clock and network: inputs in, ``CircleEffect``s out. A driver makes it durable before it does them.
struct SharedPlaces: Sendable {
    /// Sharing with one circle.
    struct Entry: Sendable {
        var record: SharingRecord
        /// When it wants to be told that time passed.
        var wake: Timestamp?
        /// How often a position is of use to it.
        var look: Duration?
        /// Whether something can be sent to the circle.
        var isConnected = false
        /// Whether the record has changed since it was kept.
        var isChanged = false
    }

    private(set) var entries: [CircleID: Entry] = [:]

    /// Shared with no circle.
    init() {}

    /// Goes on from what was kept.
    init(_ records: [SharingRecord], now: Timestamp) {
        for record in records {
            guard let id = CircleID(hex: record.circle) else { continue }
            entries[id] = Entry(record: record)
            _ = receive(.tick, in: id, now: now)
        }
    }

    /// Begins to share with a circle, or shares differently.
    mutating func share(
        _ settings: SharingSettings, in id: CircleID, now: Timestamp, secret: Bytes32
    ) -> [CircleEffect] {
        if entries[id] == nil {
            let sharing = LocationSharing(settings, blurSecret: secret)
            entries[id] = Entry(record: SharingRecord(circle: id.hex, isOn: true, sharing: sharing))
        }
        // A position from before would make a source whose clock is behind look late.
        if entries[id]?.record.isOn == false { entries[id]?.record.sharing.forgetPosition() }
        entries[id]?.record.isOn = true
        entries[id]?.isChanged = true
        return receive(.settings(settings), in: id, now: now)
    }

    /// Keeps how the place is shared, or would be, without beginning or ending that.
    mutating func configure(
        _ settings: SharingSettings, in id: CircleID, now: Timestamp, secret: Bytes32
    ) -> [CircleEffect] {
        var settings = settings
        if entries[id]?.record.isOn != true { settings.pause = .untilResumed }
        if entries[id] == nil {
            let sharing = LocationSharing(settings, blurSecret: secret)
            entries[id] = Entry(record: SharingRecord(circle: id.hex, isOn: false, sharing: sharing))
        }
        entries[id]?.isChanged = true
        return receive(.settings(settings), in: id, now: now)
    }

    /// Shares no more: it rests until one shares again.
    mutating func stop(_ id: CircleID, now: Timestamp) -> [CircleEffect] {
        guard let entry = entries[id], entry.record.isOn else { return [] }
        entries[id]?.record.isOn = false
        entries[id]?.isChanged = true
        var settings = entry.record.sharing.settings
        settings.pause = .untilResumed
        let effects = receive(.settings(settings), in: id, now: now)
        entries[id]?.record.sharing.forgetPosition()
        return effects
    }

    /// Hands one input to one circle and says what is to be done.
    mutating func receive(_ input: LocationSharing.Input, in id: CircleID, now: Timestamp) -> [CircleEffect] {
        guard var entry = entries[id] else { return [] }
        let before = entry.record.sharing
        var tasks: [CircleEffect] = []
        for action in entry.record.sharing.receive(input, now: now) {
            switch action {
            case .send(let place, let number): tasks.append(.sendPlace(place, number: number, in: id))
            case .warnOfBattery(let percent): tasks.append(.noteBattery(percent, in: id))
            case .look(let every): entry.look = every
            case .wait(let moment): entry.wake = moment
            }
        }
        switch input {
        case .connected: entry.isConnected = true
        case .disconnected: entry.isConnected = false
        // What was made before the person spoke must not be offered after.
        case .settings: entry.record.unsent = nil
        default: break
        }
        if entry.record.sharing != before { entry.isChanged = true }
        entries[id] = entry
        return tasks
    }

    /// Remembers what no relay has taken, if it was made by the settings that hold still.
    mutating func keep(_ unsent: UnsentPlace?, by settings: SharingSettings, in id: CircleID) {
        guard let record = entries[id]?.record, record.sharing.settings == settings, record.unsent != unsent else {
            return
        }
        entries[id]?.record.unsent = unsent
        entries[id]?.isChanged = true
    }

    /// Hands a reading to all circles with which the place is shared.
    mutating func receive(_ reading: LocationReading, now: Timestamp) -> [CircleEffect] {
        var tasks: [CircleEffect] = []
        for (id, entry) in entries where entry.record.isOn {
            switch reading {
            case .fix(let fix): tasks += receive(.fix(fix), in: id, now: now)
            case .failure(let why): tasks += receive(.noFix(why), in: id, now: now)
            }
        }
        return tasks
    }

    /// Drops a circle with which nothing can be shared any more.
    mutating func forget(_ id: CircleID) { entries[id] = nil }

    /// The changes that make durable what happened, which then counts as kept.
    mutating func takeChanges(_ records: SealedRecords) throws -> [RecordChange] {
        var changes: [RecordChange] = []
        for (id, entry) in entries where entry.isChanged {
            changes.append(try records.put(try entry.record.recordBytes(), at: Self.address(of: id)))
            entries[id]?.isChanged = false
        }
        return changes
    }

    /// Where the record of a circle rests.
    static func address(of id: CircleID) -> SealedRecords.Address {
        SealedRecords.Address(CircleTable.sharing, group: id.hex, "own")
    }

    /// The next moment at which time matters.
    var wake: Timestamp? { entries.values.compactMap(\.wake).min() }

    /// How often a position is of use to any circle; nil when it is to none.
    var look: Duration? { entries.values.filter(\.record.isOn).compactMap(\.look).min() }
}
