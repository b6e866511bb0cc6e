import Foundation
import Testing

@testable import MLS

/// Many members at once: whatever they do, all of one epoch agree, and nobody else can read.
///
/// `LINNET_MLS_STEPS` makes it longer.
@Suite struct GroupModelTests {
    private struct World {
        var random: SeededRandom
        var members: [Group]
        var gone: [Group] = []
        var late: [(message: MLSMessage, epoch: UInt64, text: [UInt8])] = []
        var names = 0

        init(seed: UInt64) throws {
            random = SeededRandom(seed: seed)
            members = [try Person("first").create()]
        }

        mutating func step() throws {
            let committer = Int.random(in: 0..<members.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2 where members.count < 24: try add(by: committer)
            case 3 where members.count > 2: try remove(by: committer)
            case 4: try propose(by: committer)
            case 5 where members.count < 24: try joinFromOutside()
            case 6: try send(by: committer)
            case 7: try readLate()
            default: try publish(members[committer].commit(freshKeys: Bool.random(using: &random)), by: committer)
            }
        }

        private mutating func publish(_ commit: OwnCommit, by committer: Int, welcoming: [OwnKeyPackage] = []) throws {
            let bytes = commit.message.encoded
            for place in members.indices.reversed() where place != committer {
                guard case .commit(let staged) = try members[place].process(MLSMessage(bytes: bytes)) else {
                    throw MLSError(.unexpectedMessage)
                }
                guard staged.removesUs else {
                    try members[place].merge(staged)
                    continue
                }
                gone.append(members[place])
            }
            try members[committer].merge(commit.staged)
            let removed = Set(commit.staged.removed)
            members.removeAll { $0.epoch < commit.staged.context.epoch && removed.contains($0.ownIndex) }
            for package in welcoming {
                members.append(
                    try Group(joining: #require(commit.welcome), with: package, policy: TrustEverybody()))
            }
        }

        private mutating func add(by committer: Int) throws {
            let packages = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
                names += 1
                return try Person("member \(names)").keyPackage()
            }
            try publish(
                members[committer].commit(
                    packages.map { .add($0.keyPackage) }, freshKeys: Bool.random(using: &random)),
                by: committer, welcoming: packages)
        }

        private mutating func remove(by committer: Int) throws {
            let victim = Int.random(in: 0..<members.count, using: &random)
            guard victim != committer else { return }
            try publish(
                members[committer].commit([.remove(members[victim].ownIndex)], withPending: false), by: committer)
        }

        private mutating func propose(by sender: Int) throws {
            let message = try members[sender].proposeUpdate()
            for place in members.indices where place != sender { _ = try members[place].process(message) }
            let committer = (sender + 1) % members.count
            guard committer != sender else { return }
            try publish(members[committer].commit(), by: committer)
        }

        private mutating func joinFromOutside() throws {
            names += 1
            let host = Int.random(in: 0..<members.count, using: &random)
            let (group, commit) = try Group.join(
                members[host].groupInfo(), with: Person("member \(names)").keyPackage(), policy: TrustEverybody())
            for place in members.indices { try members[place].follow(commit) }
            members.append(group)
        }

        private mutating func send(by sender: Int) throws {
            // Only our own Update can be waiting, when we were alone.
            members[sender].options.sendsBeforeCommitting = true
            let text = [UInt8](repeating: UInt8(truncatingIfNeeded: names), count: 5)
            let message = try members[sender].encrypt(text)
            late.append((message, members[sender].epoch, text))
        }

        /// Somebody who was there reads a delayed message once; a removed member cannot read a newer one.
        private mutating func readLate() throws {
            guard let place = late.indices.randomElement(using: &random) else { return }
            let (message, epoch, text) = late.remove(at: place)
            for reader in members.indices where members[reader].past.contains(where: { $0.epoch == epoch }) {
                do {
                    let read = try members[reader].read(message)
                    #expect(read == text)
                    #expect(throws: MLSError(.keyConsumed)) { try members[reader].read(message) }
                } catch let error as MLSError where error == MLSError(.keyConsumed) {
                    // Its own message.
                }
            }
            for ghost in gone.indices where gone[ghost].epoch < epoch {
                #expect(throws: MLSError.self) { try gone[ghost].read(message) }
            }
        }

        func check(_ note: Comment) throws {
            let first = try #require(members.first)
            for member in members {
                #expect(member.context == first.context, note)
                #expect(member.epochAuthenticator == first.epochAuthenticator, note)
                #expect(
                    try member.export(label: "x", context: [], count: 32)
                        == first.export(label: "x", context: [], count: 32), note)
            }
            #expect(first.members.count == members.count, note)
            #expect(!gone.contains { $0.epochAuthenticator == first.epochAuthenticator }, note)
        }
    }

    @Test("members agree at every epoch, whatever happens", arguments: 1...3 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        let steps = ProcessInfo.processInfo.environment["LINNET_MLS_STEPS"].flatMap(Int.init) ?? 40
        var world = try World(seed: seed)
        for step in 0..<steps {
            let note: Comment = "seed \(seed), step \(step)"
            do { try world.step() } catch { Issue.record(error, note) }
            try world.check(note)
            var tree = try #require(world.members.first).tree
            let valid = tree.parentHashesAreValid()
            #expect(valid, note)
        }
    }
}
