import Testing

@testable import MLS

/// What can happen.
extension World {
    mutating func step() throws {
        switch number(below: 100) {
        case 0..<22: try commit(current())
        case 22..<28: try race()
        case 28..<32: try commitLate()
        case 32..<42: try propose()
        case 42..<54: try write()
        case 54..<72: for _ in 0...number(below: members.count * 2) { try readLetter() }
        case 72..<80: try deliverSome()
        case 80..<84: try deliverWrongly()
        case 84..<92: try openWelcome()
        case 92..<95: try joinFromOutside(nextName(), former: nil)
        case 95..<97: try loseAndComeBack()
        default: try beRemovedAndListen()
        }
        for _ in 0..<number(below: members.count / 4) { try deliverSome() }
        if letters.count > 60 { letters.removeFirst(letters.count - 60) }
    }

    /// A commit of a current member, which the service lets through.
    private mutating func commit(_ place: Int) throws {
        var changes: [Proposal] = []
        var packages: [(name: String, own: OwnKeyPackage)] = []
        let size = members[place].group.members.count
        let growing = size < capacity / 2
        if size < capacity, chance(growing ? 70 : 30) {
            for _ in 0...number(below: min(capacity - size, growing ? 5 : 2)) {
                let name = nextName()
                packages.append((name, try Person(name).keyPackage()))
            }
            changes = packages.map { .add($0.own.keyPackage) }
        }
        if size > 2, chance(growing ? 5 : 30), let victim = other(than: place) { changes.append(.remove(victim)) }
        let commit = try members[place].group.commit(
            changes, withPending: chance(90), freshKeys: chance(60), signer: newSigner(), treeInWelcome: true)
        try publish(commit, by: place)
        count("commits")
        guard let welcome = commit.welcome else { return }
        let welcomed = Set(welcome.newMembers)
        for (name, own) in packages where try welcomed.contains(own.keyPackage.reference()) {
            invited.append(Invited(name: name, package: own, welcome: welcome, next: log.count))
        }
    }

    /// Some renew their key for signatures too.
    private mutating func newSigner() throws -> SignaturePrivateKey? {
        guard chance(25) else { return nil }
        count("new signers")
        return try SignaturePrivateKey(for: .x25519AES128)
    }

    private mutating func other(than place: Int) -> LeafIndex? {
        let group = members[place].group
        return group.members.map(\.index).filter { $0 != group.ownIndex }.randomElement(using: &random)
    }

    private mutating func publish(_ commit: OwnCommit, by place: Int) throws {
        log.append(commit.message)
        try members[place].group.merge(commit.staged)
        members[place].next = log.count
        try agree(members[place].group)
    }

    /// Two commit at once: the service lets one through, and who has followed it refuses the other.
    private mutating func race() throws {
        let first = try current()
        let second = number(below: members.count)
        guard first != second else { return }
        let (firstName, secondName) = (members[first].name, members[second].name)
        guard try catchUp(second) != nil, let place = index(firstName), let rival = index(secondName) else { return }
        let (won, lost) = (try members[place].group.commit(), try members[rival].group.commit())
        try publish(won, by: place)
        refuses(.wrongEpoch, members[place].group, lost.message)
        guard let loser = try catchUp(rival) else { return }
        #expect(throws: MLSError(.wrongEpoch)) { try members[loser].group.merge(lost.staged) }
        count("races")
    }

    private func index(_ name: String) -> Int? { members.firstIndex { $0.name == name } }

    private func refuses(_ code: MLSError.Code, _ group: Group, _ message: MLSMessage) {
        var copy = group
        #expect(throws: MLSError(code)) { _ = try copy.process(message) }
        #expect(copy.epochAuthenticator == group.epochAuthenticator)
    }

    /// Somebody behind commits on what they know; those who are ahead refuse the fork.
    private mutating func commitLate() throws {
        let behind = members.indices.filter { members[$0].group.epoch < agreed.keys.max() ?? 0 }
        guard let place = behind.randomElement(using: &random) else { return }
        let fork = try members[place].group.commit().message
        for other in members where other.group.epoch > members[place].group.epoch {
            refuses(.wrongEpoch, other.group, fork)
            count("forks refused")
        }
    }

    private mutating func propose() throws {
        let place = try current()
        let group = members[place].group
        let message: MLSMessage
        switch number(below: 6) {
        case 0 where group.members.count > 3:
            message = try members[place].group.propose(.custom(.selfRemove, body: nil))
        case 1 where group.members.count < capacity - 3:
            message = try members[place].group.propose(.add(Person(nextName()).keyPackage().keyPackage))
        case 2 where group.members.count > 3:
            guard let victim = other(than: place) else { return }
            message = try members[place].group.propose(.remove(victim))
        default: message = try members[place].group.proposeUpdate(signer: newSigner())
        }
        log.append(message)
        members[place].next = log.count
        count("proposals")
    }

    private mutating func write() throws {
        let place = number(below: members.count)
        let text = (0..<number(below: 30)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let message = try members[place].group.encrypt(text)
        letters.append(
            Letter(message: message, epoch: members[place].group.epoch, sender: members[place].name, text: text))
        count("letters")
    }

    /// Delivers any letter to anybody, perhaps again; what comes of it is known before.
    private mutating func readLetter() throws {
        guard let at = letters.indices.randomElement(using: &random) else { return }
        let place = number(below: members.count)
        let (letter, reader) = (letters[at], members[place])
        let distance = Int64(reader.group.epoch) - Int64(letter.epoch)
        let isKnown = distance >= 0 && distance <= 5 && letter.epoch >= reader.since
        guard isKnown else { return refuses(.wrongEpoch, reader.group, letter.message) }
        guard letter.sender != reader.name, !letter.readers.contains(reader.name) else {
            count("letters refused")
            return refuses(.keyConsumed, reader.group, letter.message)
        }
        let read = try members[place].group.read(MLSMessage(bytes: letter.message.encoded))
        #expect(read == letter.text)
        letters[at].readers.insert(reader.name)
        count("letters read")
    }

    private mutating func deliverSome() throws {
        let place = number(below: members.count)
        for _ in 0...number(below: 4) where members[place].next < log.count {
            guard try deliver(to: place) else { return }
        }
    }

    /// Delivers what was read before, or what comes later, and expects no change.
    private mutating func deliverWrongly() throws {
        let member = members[number(below: members.count)]
        let old = log[..<member.next].filter { ($0.epoch?.epoch ?? 0) < member.group.epoch }
        let later = log[member.next...].filter { ($0.epoch?.epoch ?? 0) > member.group.epoch }
        for message in [old.randomElement(using: &random), later.randomElement(using: &random)] {
            guard let message else { continue }
            refuses(.wrongEpoch, member.group, message)
            count("out of order refused")
        }
    }
}
