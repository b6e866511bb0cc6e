internal import Location
internal import NostrClient
internal import NostrCore
internal import NostrStore

/// What this program watches of others' places in one circle, as it rests in the vault.
struct WatchRecord: Codable, Hashable, Sendable {
    /// Something it noticed.
    struct Notice: Codable, Hashable, Sendable {
        enum What: String, Codable, Sendable { case arrived, left, batteryLow }

        var person: String
        var what: What
        /// What the place was called then.
        var place: String?
        /// Percent.
        var battery: Int?
        var at: Int64
    }

    static let mostNotices = 100
    static let noticesKept: Duration = .seconds(30 * 86_400)

    /// The circle's id in hex.
    var circle: String
    var watch = PlaceWatch()
    var alerts: BatteryAlerts
    /// The oldest first.
    var notices: [Notice] = []
    /// How many days of trails are kept; nil for none.
    var trailDays: Int?

    init(_ id: CircleID, owner: PublicKey) {
        circle = id.hex
        alerts = BatteryAlerts(owner: owner)
    }

    static func address(of id: CircleID) -> SealedRecords.Address {
        SealedRecords.Address(CircleTable.watches, group: id.hex, "watch")
    }

    /// Notes a position that another member sent.
    ///
    /// - Parameter isNewest: whether it is the newest known of them; an older one says nothing of the battery.
    mutating func receive(_ fix: Fix, of member: PublicKey, isNewest: Bool, now: Timestamp) {
        let names = Dictionary(watch.places.map { ($0.id, $0.name) }) { _, last in last }
        for notice in watch.receive(fix, of: member, now: now) {
            add(
                Notice(
                    person: member.hex, what: notice.isArrival ? .arrived : .left, place: names[notice.place],
                    at: notice.moment.seconds))
        }
        if isNewest, alerts.receive(fix.battery, of: member) {
            let moment = fix.dated(noLaterThan: now).moment
            add(Notice(person: member.hex, what: .batteryLow, battery: fix.battery, at: moment.seconds))
        }
        let oldest = now - Self.noticesKept
        notices.removeAll { $0.at < oldest.seconds }
    }

    /// Notes that the battery of this program's own person fell below what they set.
    mutating func noteOwnBattery(_ percent: Int, of owner: PublicKey, now: Timestamp) {
        add(Notice(person: owner.hex, what: .batteryLow, battery: percent, at: now.seconds))
    }

    private mutating func add(_ notice: Notice) {
        notices.append(notice)
        notices.removeFirst(max(0, notices.count - Self.mostNotices))
    }

    /// Forgets people who are not members any more.
    mutating func keep(_ people: Set<PublicKey>) {
        watch.keep(people)
        alerts.keep(people)
        let words = Set(people.map(\.hex))
        notices.removeAll { !words.contains($0.person) }
    }

    /// The names of the places somebody is in.
    func whereabouts(of member: PublicKey) -> [String] {
        watch.places.filter { watch.isInside(member, $0) == true }.map(\.name)
    }
}

/// Where a member was on one day, as it rests in the vault: a new position rewrites a day, not a year.
struct TrailRecord: Codable, Sendable {
    var person: String
    /// Days since 1970, of UTC.
    var day: Int64
    var trail: Trail

    static func day(of moment: Timestamp) -> Int64 { moment.seconds / 86_400 }

    static func address(of person: String, day: Int64, in id: CircleID) -> SealedRecords.Address {
        SealedRecords.Address(CircleTable.trails, group: id.hex, "\(person) \(day)")
    }
}
