import Testing

@testable import MLS

/// Who comes late, comes back, or is gone.
extension World {
    /// Somebody opens a Welcome, however long it has been there, and catches up with the log.
    mutating func openWelcome() throws {
        guard let at = invited.indices.randomElement(using: &random) else { return }
        let one = invited.remove(at: at)
        let group = try Group(
            joining: Welcome(bytes: one.welcome.encoded), with: one.package, policy: TrustEverybody(),
            options: options())
        try agree(group)
        members.append(Member(name: one.name, group: group, next: one.next, since: group.epoch))
        count("joined by Welcome")
    }

    mutating func joinFromOutside(_ name: String, former: LeafIndex?) throws {
        let host = try current()
        guard members[host].group.members.count < capacity || former != nil else { return }
        let info = try MLSMessage(bytes: members[host].group.groupInfo().encoded)
        let leaving =
            chance(70)
            ? log.filter { $0.leaver.map { $0 != former } ?? false && $0.epoch?.epoch == members[host].group.epoch }
            : []
        let (group, commit) = try Group.join(
            info, with: Person(name).keyPackage(), former: former, leaving: leaving, policy: TrustEverybody(),
            options: options())
        if !leaving.isEmpty { count("let go from outside") }
        log.append(commit)
        try agree(group)
        // The host is where the new member is, so that somebody old follows at once.
        members.append(Member(name: name, group: group, next: log.count, since: group.epoch))
        guard try catchUp(host) != nil else { return }
        count(former == nil ? "joined from outside" : "came back")
    }

    /// Somebody loses a commit for good: nothing later opens, so they join again in their own place.
    mutating func loseAndComeBack() throws {
        let host = try current()
        let head = members[host].group
        let behind = members.indices.filter { place in
            members[place].group.epoch < head.epoch && place != host
                && head.tree.leaf(members[place].group.ownIndex)?.signatureKey
                    == members[place].group.tree.leaf(members[place].group.ownIndex)?.signatureKey
        }
        guard let place = behind.randomElement(using: &random) else { return }
        let lost = members.remove(at: place)
        // The others of its epoch go on; it never sees how.
        for message in log[lost.next...] where (message.epoch?.epoch ?? 0) > lost.group.epoch {
            var copy = lost.group
            #expect(throws: MLSError(.wrongEpoch)) { _ = try copy.process(message) }
        }
        try joinFromOutside(lost.name + "'", former: lost.group.ownIndex)
    }

    /// What a removed member still holds opens nothing that came after.
    mutating func beRemovedAndListen() throws {
        guard let ghost = removed.randomElement(using: &random) else { return }
        var copy = ghost.group
        for letter in letters where letter.epoch > ghost.group.epoch {
            #expect(throws: MLSError(.wrongEpoch)) { _ = try copy.process(letter.message) }
            try listen(ghost, letter.message)
        }
        for message in log.suffix(5) where (message.epoch?.epoch ?? 0) > ghost.group.epoch {
            #expect(throws: MLSError.self) { _ = try copy.process(message) }
            try listen(ghost, message)
        }
        for (epoch, agreement) in agreed where epoch > ghost.group.epoch {
            #expect(agreement.authenticator != ghost.group.epochAuthenticator)
            #expect(try agreement.exported != ghost.group.export(label: "model", context: [1], count: 32))
        }
    }

    /// Tries the keys themselves, without a look at the epoch.
    private mutating func listen(_ ghost: Member, _ message: MLSMessage) throws {
        guard case .privateMessage(let message) = message.body else { return }
        for var keys in [ghost.group.keys] + ghost.group.past.map(\.keys) {
            keys.limits.forward = 10
            #expect(throws: MLSError(.decryptionFailed)) { _ = try keys.open(message, ghost.group.algorithms) }
        }
        count("removed members listened")
    }

    /// Everybody opens what waits for them, and all are in one epoch.
    mutating func settle() throws {
        while !invited.isEmpty { try openWelcome() }
        var place = 0
        while place < members.count { if try catchUp(place) != nil { place += 1 } }
        #expect(Set(members.map(\.group.epochAuthenticator)).count == 1)
        let first = try #require(members.first).group
        var tree = first.tree
        try tree.validate(context: first.context)
        for ghost in removed { #expect(ghost.group.epoch < first.epoch) }
        try beRemovedAndListen()
    }
}

extension MLSMessage {
    /// Who asks to leave by this message.
    fileprivate var leaver: LeafIndex? {
        guard case .publicMessage(let message) = body, case .member(let leaf) = message.content.sender,
            case .proposal(.custom(.selfRemove, _)) = message.content.content
        else { return nil }
        return leaf
    }
}
