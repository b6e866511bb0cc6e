internal import NostrCore
internal import NostrNIPs

/// Requests that wait for the person or for the key, in the order they came.
struct WaitingRoom {
    /// One of them.
    struct Guest: Sendable {
        /// As it is kept.
        var kept: AdmittedRequest
        /// The request; `nil` while it cannot be read.
        var hand: RequestInHand?
        /// Why it waits.
        var rule: Rule
        /// What signing would change.
        var report: ChangeReport?
        /// Its app as it says, for apps that are not paired.
        var stranger: SignerClient?
        /// Whether somebody is deciding it right now.
        var isTaken = false
    }

    private(set) var guests: [EventID: Guest] = [:]
    private var numbers: [EventID: Int] = [:]
    private var count = 0

    /// All, oldest first.
    var all: [Guest] {
        guests.values.sorted { (numbers[$0.kept.event] ?? 0) < (numbers[$1.kept.event] ?? 0) }
    }

    subscript(_ id: EventID) -> Guest? { guests[id] }

    /// Lets one in, or puts it in its place again.
    mutating func seat(_ guest: Guest) {
        count += 1
        if numbers[guest.kept.event] == nil { numbers[guest.kept.event] = count }
        guests[guest.kept.event] = guest
    }

    /// Takes one for deciding; `nil` when there is none or somebody else is at it.
    mutating func take(_ id: EventID) -> Guest? {
        guard let guest = guests[id], !guest.isTaken else { return nil }
        guests[id]?.isTaken = true
        return guest
    }

    /// Puts one back that could not be done.
    mutating func putBack(_ id: EventID) { guests[id]?.isTaken = false }

    /// It waits no longer.
    mutating func leave(_ id: EventID) {
        guests[id] = nil
        numbers[id] = nil
    }

    /// All of one app leave.
    mutating func leaveAll(of app: RequestingApp) -> [Guest] {
        let gone = guests.values.filter { $0.kept.app == app }
        for guest in gone { leave(guest.kept.event) }
        return gone
    }
}
