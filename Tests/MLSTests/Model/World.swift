import Testing

@testable import MLS

/// A group as those in it see it, and the service between them, which orders commits and is otherwise no good.
///
/// It delays, loses, repeats and reorders; each member follows at their own pace. What must come of each delivery is
/// known here, so that too much is noticed as well as too little.
struct World {
    /// Somebody in the group, up to a place in the log.
    struct Member {
        let name: String
        var group: Group
        /// The next entry of the log to read.
        var next: Int
        /// The first epoch they were in.
        let since: UInt64
    }

    /// Data of the application under way.
    struct Letter {
        let message: MLSMessage
        let epoch: UInt64
        let sender: String
        let text: [UInt8]
        var readers: Set<String> = []
    }

    /// Somebody who was added and has not opened their Welcome.
    struct Invited {
        let name: String
        let package: OwnKeyPackage
        let welcome: Welcome
        let next: Int
    }

    /// What the first in an epoch found, and all others must find.
    struct Agreement: Equatable {
        let context: GroupContext
        let authenticator: [UInt8]
        let exported: [UInt8]
    }

    var random: SeededRandom
    let capacity: Int
    var members: [Member] = []
    var invited: [Invited] = []
    var removed: [Member] = []
    var letters: [Letter] = []
    /// Proposals and commits in the order all see them.
    var log: [MLSMessage] = []
    var agreed: [UInt64: Agreement] = [:]
    /// How often each thing happened.
    var counts: [String: Int] = [:]
    private var names = 0

    init(seed: UInt64, capacity: Int) throws {
        random = SeededRandom(seed: seed)
        self.capacity = capacity
        let name = nextName()
        var options = GroupOptions()
        options.sendsBeforeCommitting = true
        members = [Member(name: name, group: try Person(name).create(options), next: 0, since: 0)]
        try agree(members[0].group)
    }

    mutating func number(below end: Int) -> Int { Int.random(in: 0..<max(1, end), using: &random) }
    mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }
    mutating func count(_ what: String) { counts[what, default: 0] += 1 }

    mutating func nextName() -> String {
        names += 1
        return "member \(names)"
    }

    /// Their own choices differ: some encrypt proposals and commits, some do not.
    mutating func options() -> GroupOptions {
        var options = GroupOptions()
        options.sendsBeforeCommitting = true
        options.encryptsHandshake = chance(70)
        return options
    }

    /// Compares what somebody finds in their epoch with what others found.
    mutating func agree(_ group: Group) throws {
        let found = Agreement(
            context: group.context, authenticator: group.epochAuthenticator,
            exported: try group.export(label: "model", context: [1], count: 32))
        if let known = agreed[group.epoch] {
            #expect(known == found, "epoch \(group.epoch)")
        } else {
            agreed[group.epoch] = found
        }
    }

    /// Delivers the next entry of the log to a member.
    ///
    /// - Returns: whether they are still there.
    mutating func deliver(to place: Int) throws -> Bool {
        let message = try MLSMessage(bytes: log[members[place].next].encoded)
        guard case .commit(let staged) = try members[place].group.process(message) else {
            members[place].next += 1
            return true
        }
        guard !staged.removesUs else {
            removed.append(members.remove(at: place))
            count("removals noticed")
            return false
        }
        try members[place].group.merge(staged)
        members[place].next += 1
        try agree(members[place].group)
        return true
    }

    /// Delivers all that waits; nil if it turns out that they were removed.
    mutating func catchUp(_ place: Int) throws -> Int? {
        while members[place].next < log.count { guard try deliver(to: place) else { return nil } }
        return place
    }

    /// Somebody who has read everything.
    mutating func current() throws -> Int {
        while true {
            if let place = try catchUp(number(below: members.count)) { return place }
            // The committer of the last commit is always left.
        }
    }
}
