import Foundation
import NostrTesting
import Testing

@testable import MLS

@Suite(
    "MLS groups with MLS++", .serialized, .timeLimit(.minutes(60)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct GroupsAgainstMLSPlusPlusTests {
    @Test("whoever commits what is proposed from outside, all agree", arguments: [1, 2] as [UInt64])
    func mixed(seed: UInt64) async throws {
        try await Peer.run("dave_member.py", ["101", "77"]) { one, _ in
            try await Peer.run("dave_member.py", ["102", "77"]) { two, _ in
                var group = try ProposedGroup([one, two], seed: seed)
                for _ in 0..<MixedSteps.count { try await group.act() }
                #expect(group.theirs > MixedSteps.count / 10 && group.ours > MixedSteps.count / 10)
            }
        }
    }
}

/// A group as DAVE has it: somebody outside proposes who comes and goes, and a member commits just that.
private struct ProposedGroup {
    private static let suite = CipherSuite.p256AES128
    private static let most = 5

    private enum Author: Hashable {
        case own(Int)
        case peer(Int)
    }

    let peers: [Peer]
    var random: SeededRandom
    let sender: SignaturePrivateKey
    let outside: ExternalSender
    /// Members by our library, the first of whom founded the group and stays.
    var own: [(group: Group, name: [UInt8])] = []
    var inside: [Int: [UInt8]] = [:]
    private var names: UInt64 = 200
    /// How many commits of ours and of theirs counted.
    private(set) var ours = 0
    private(set) var theirs = 0

    init(_ peers: [Peer], seed: UInt64) throws {
        (self.peers, random) = (peers, SeededRandom(seed: seed))
        sender = try SignaturePrivateKey(for: Self.suite)
        outside = ExternalSender(signatureKey: sender.publicKey, credential: .basic(identity: [9]))
        let (package, name) = try package()
        let group = try Group(
            creating: Self.encoded(77), with: package, extensions: [ExternalSenders([outside]).asExtension],
            policy: BelievingPolicy(), options: Self.options)
        own = [(group, name)]
    }

    private static func encoded(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    private static var options: GroupOptions {
        var options = GroupOptions()
        options.encryptsHandshake = false
        return options
    }

    private mutating func package() throws -> (OwnKeyPackage, name: [UInt8]) {
        names += 1
        let name = Self.encoded(names % 900 + 1)
        let package = try OwnKeyPackage(
            cipherSuite: Self.suite, signer: SignaturePrivateKey(for: Self.suite), credential: .basic(identity: name),
            lifetime: Lifetime(notBefore: 0, notAfter: .max))
        return (package, name)
    }

    private func ask(_ peer: Int, _ command: [String]) async throws -> [String] {
        let answer = try await peers[peer].ask(command)
        try #require(answer.first != "failed", "\(peer) at \(command[0]): \(answer)")
        return answer
    }

    // MARK: - Chance

    mutating func act() async throws {
        let absent = peers.indices.filter { inside[$0] == nil }
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<3 where !absent.isEmpty: try await add(absent[Int.random(in: absent.indices, using: &random)])
        case 0..<4 where own.count < Self.most:
            let (package, name) = try package()
            guard let welcome = try await change([.add(package.keyPackage)]) else { return }
            own.append(
                (try Group(joining: welcome, with: package, policy: BelievingPolicy(), options: Self.options), name))
        default: try await removeSomebody()
        }
        try await agree()
    }

    private mutating func add(_ newcomer: Int) async throws {
        let text = try await ask(newcomer, ["key_package", hex(outside.encoded)])[0]
        let package = try KeyPackage(bytes: try bytes(of: text))
        guard let welcome = try await change([.add(package)]) else { return }
        _ = try await ask(newcomer, ["join", hex(welcome.encoded)])
        if case .basic(let name) = package.leafNode.credential { inside[newcomer] = name }
    }

    private mutating func removeSomebody() async throws {
        let others = own.dropFirst().map(\.name) + inside.sorted { $0.key < $1.key }.map(\.value)
        guard !others.isEmpty else { return }
        let gone = others[Int.random(in: others.indices, using: &random)]
        let member = own[0].group.members.first { $0.leaf.credential == .basic(identity: gone) }
        _ = try await change([.remove(try #require(member).index)], without: gone)
    }

    // MARK: - A change

    /// Has a change proposed from outside and committed by a member; gives the Welcome, if there is one.
    private mutating func change(_ proposals: [Proposal], without gone: [UInt8]? = nil) async throws -> Welcome? {
        let messages = try proposals.map { try propose($0) }
        var made: [Author: (commit: [UInt8], welcome: Welcome?)] = [:]
        for place in own.indices {
            for message in messages { _ = try own[place].group.process(MLSMessage(bytes: message)) }
        }
        for (peer, name) in inside where name != gone {
            let bytes = try bytes(of: try await ask(peer, ["propose"] + messages.map(hex))[0])
            var reader = Reader(bytes)
            let commit = try MLSMessage(from: &reader)
            let rest = try reader.rest()
            made[.peer(peer)] = (commit.encoded, rest.isEmpty ? nil : try Welcome(bytes: rest))
        }
        let able =
            own.indices.filter { own[$0].name != gone }.map { Author.own($0) }
            + inside.keys.sorted().filter { inside[$0] != gone }.map { Author.peer($0) }
        let author = able[Int.random(in: able.indices, using: &random)]
        if case .own(let place) = author {
            let commit = try own[place].group.commit()
            try own[place].group.merge(commit.staged)
            made[author] = (commit.message.encoded, commit.welcome)
            ours += 1
        } else {
            theirs += 1
        }
        let (commit, welcome) = try #require(made[author])
        for place in own.indices where author != .own(place) {
            guard case .commit(let staged) = try own[place].group.process(MLSMessage(bytes: commit)) else {
                Issue.record("no commit")
                continue
            }
            #expect(staged.removesUs == (own[place].name == gone))
            if !staged.removesUs { try own[place].group.merge(staged) }
        }
        for (peer, name) in inside where name != gone { _ = try await ask(peer, ["commit", hex(commit)]) }
        own.removeAll { $0.name == gone }
        inside = inside.filter { $0.value != gone }
        return welcome
    }

    private func propose(_ proposal: Proposal) throws -> [UInt8] {
        let group = own[0].group
        let content = FramedContent(
            groupID: group.groupID, epoch: group.epoch, sender: .external(0), authenticatedData: [],
            content: .proposal(proposal))
        let signed = try group.algorithms.sign(content, as: .publicMessage, context: group.context.encoded, key: sender)
        return MLSMessage(
            .publicMessage(
                try group.algorithms.protect(
                    signed, context: group.context.encoded, membershipKey: group.secrets.membership))
        ).encoded
    }

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    private func agree() async throws {
        let first = own[0].group
        for one in own { #expect(one.group.epochAuthenticator == first.epochAuthenticator) }
        for peer in inside.keys { #expect(try await ask(peer, ["state"])[0] == hex(first.epochAuthenticator)) }
    }
}
