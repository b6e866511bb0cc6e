import Crypto
import Foundation
import NostrCore
import NostrTesting
import Testing

@testable import MLS

@Suite(
    "MLS groups with MLS++", .serialized, .timeLimit(.minutes(60)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct GroupsAgainstMLSPlusPlusTests {
    @Test("whoever commits what is proposed from outside, all agree", arguments: [1, 2, 3] as [UInt64])
    func mixed(seed: UInt64) async throws {
        try await Peer.run("dave_member.py", ["101", "77"]) { one, _ in
            try await Peer.run("dave_member.py", ["102", "77"]) { two, _ in
                var group = try ProposedGroup([one, two], seed: seed)
                for _ in 0..<MixedSteps.count { try await group.act() }
                #expect(group.ours > MixedSteps.count / 10 && group.theirs > MixedSteps.count / 10)
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

    /// What a member made of proposals.
    private struct MadeCommit {
        let author: Author
        let message: MLSMessage
        let welcome: Welcome?
        /// For its author, where that is one of ours.
        var staged: StagedCommit?
    }

    let peers: [Peer]
    var random: SeededRandom
    let sender: SignaturePrivateKey
    let outside: ExternalSender
    /// Members by our library, the first of whom founded the group and stays.
    var own: [(group: Group, name: [UInt8])] = []
    /// Peers in the group, with what they are called in it.
    var inside: [Int: [UInt8]] = [:]
    /// What peers were called that could not follow a commit, until they are removed.
    private var lost: [[UInt8]] = []
    private var names: UInt64 = 200
    /// How many commits of ours and of theirs counted, and how many times a peer could not follow one.
    private(set) var (ours, theirs, losses) = (0, 0, 0)

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
        let name = Self.encoded(names)
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
        let others = own.dropFirst().map(\.name) + inside.sorted { $0.key < $1.key }.map(\.value)
        if let gone = lost.popLast() {
            try await remove(gone)
        } else {
            switch Int.random(in: 0..<6, using: &random) {
            case 0..<3 where !absent.isEmpty: try await add(absent[Int.random(in: absent.indices, using: &random)])
            case 0..<4 where own.count < Self.most: try await addOwn()
            default: if !others.isEmpty { try await remove(others[Int.random(in: others.indices, using: &random)]) }
            }
        }
        try await agree()
    }

    private mutating func add(_ newcomer: Int) async throws {
        let text = try await ask(newcomer, ["key_package", encodeHex(outside.encoded)])[0]
        let package = try KeyPackage(bytes: try bytes(of: text))
        let welcome = try #require(try await change(.add(package)))
        _ = try await ask(newcomer, ["join", encodeHex(welcome.encoded)])
        if case .basic(let name) = package.leafNode.credential { inside[newcomer] = name }
    }

    private mutating func addOwn() async throws {
        let (package, name) = try package()
        let welcome = try #require(try await change(.add(package.keyPackage)))
        let group = try Group(joining: welcome, with: package, policy: BelievingPolicy(), options: Self.options)
        own.append((group, name))
    }

    private mutating func remove(_ gone: [UInt8]) async throws {
        _ = try await change(.remove(try leaf(of: gone)), without: gone)
    }

    private func leaf(of name: [UInt8]) throws -> LeafIndex {
        let member = own[0].group.members.first { $0.leaf.credential == .basic(identity: name) }
        return try #require(member).index
    }

    // MARK: - A change

    /// Has a change proposed from outside and committed by a member; gives the Welcome, if there is one.
    private mutating func change(_ proposal: Proposal, without gone: [UInt8]? = nil) async throws -> Welcome? {
        let message = try propose(proposal)
        for place in own.indices { _ = try own[place].group.process(MLSMessage(bytes: message)) }
        // Each of them makes a commit at once, as DAVE has it; one counts.
        var offers: [MadeCommit] = []
        for (peer, name) in inside.sorted(by: { $0.key < $1.key }) where name != gone {
            offers.append(try await offer(peer, message))
        }
        let able = own.indices.filter { own[$0].name != gone }
        let made: MadeCommit
        if !offers.isEmpty, Bool.random(using: &random) {
            made = offers[Int.random(in: offers.indices, using: &random)]
            theirs += 1
        } else {
            made = try commit(able[Int.random(in: able.indices, using: &random)])
            ours += 1
        }
        try await follow(made, without: gone)
        return made.welcome
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

    private func offer(_ peer: Int, _ proposal: [UInt8]) async throws -> MadeCommit {
        var reader = Reader(try bytes(of: try await ask(peer, ["propose", encodeHex(proposal)])[0]))
        let message = try MLSMessage(from: &reader)
        let rest = try reader.rest()
        return MadeCommit(author: .peer(peer), message: message, welcome: rest.isEmpty ? nil : try Welcome(bytes: rest))
    }

    private mutating func commit(_ place: Int) throws -> MadeCommit {
        let made = try own[place].group.commit()
        return MadeCommit(author: .own(place), message: made.message, welcome: made.welcome, staged: made.staged)
    }

    private mutating func follow(_ made: MadeCommit, without gone: [UInt8]?) async throws {
        let before = own[0].group.tree
        let removed = try gone.map { try leaf(of: $0) }
        for place in own.indices {
            if made.author == .own(place) {
                try own[place].group.merge(try #require(made.staged))
                continue
            }
            guard case .commit(let staged) = try own[place].group.process(made.message) else {
                Issue.record("no commit")
                continue
            }
            #expect(staged.removesUs == (own[place].name == gone))
            if !staged.removesUs { try own[place].group.merge(staged) }
        }
        own.removeAll { $0.name == gone }
        inside = inside.filter { $0.value != gone }
        for (peer, name) in inside.sorted(by: { $0.key < $1.key }) {
            let answer = try await peers[peer].ask(["commit", encodeHex(made.message.encoded)])
            let isLost =
                try made.author != .peer(peer) && losesStep(leaf(of: name), by: made, in: before, without: removed)
            #expect(answer[0] == (isLost ? "failed" : "done"), "\(answer)")
            guard isLost else { continue }
            inside[peer] = nil
            lost.append(name)
            losses += 1
        }
    }

    /// Whether MLS++ cannot follow a commit: its member has not yet the key of the node that the path is encrypted to.
    ///
    /// It decrypts by the first node of the resolution that is above its leaf, as `TreeKEMPublicKey::decap_coords` has it
    /// (1cc50a12), and not by one whose private key it has, as RFC 9420 §7.5 wants: where its leaf is unmerged there
    /// (§4.1.1), it has none, and the path secret that was encrypted to its leaf is not looked at.
    private func losesStep(
        _ leaf: LeafIndex, by made: MadeCommit, in tree: RatchetTree, without removed: LeafIndex?
    ) -> Bool {
        guard case .publicMessage(let message) = made.message.body, case .commit(let commit) = message.content.content,
            commit.path != nil, case .member(let committer) = message.content.sender
        else { return false }
        let below = tree.size.directPath(of: leaf.node).filter { !$0.isAbove(committer.node) }
        // Those above who is removed become blank before.
        let highest = below.last { node in
            tree.parent(node) != nil && removed.map { !node.isAbove($0.node) } ?? true
        }
        return highest.flatMap(tree.parent)?.unmergedLeaves.contains(leaf) ?? false
    }

    // MARK: - Agreement

    /// All are in one epoch, and have what comes from its exporter.
    private func agree() async throws {
        let first = own[0].group
        for one in own { #expect(one.group.epochAuthenticator == first.epochAuthenticator) }
        for peer in inside.keys {
            #expect(try await ask(peer, ["state"]) == [encodeHex(first.epochAuthenticator)])
            #expect(try await ask(peer, ["frame", "201", "a frame"]) == [encodeHex(try frame("a frame", of: 201))])
        }
    }

    /// The first frame of audio that a member sends in an epoch: under a key of a ratchet of their own, that begins with a
    /// secret of the exporter (RFC 9420 §8.5, §9.1).
    ///
    /// Source: the protocol of DAVE, version 1.
    private func frame(_ text: String, of user: UInt64) throws -> [UInt8] {
        let group = own[0].group
        let secret = try group.export(
            label: "Discord Secure Frames v0", context: Self.encoded(user).reversed(), count: 16)
        var ratchet = HashRatchet(Secret(secret))
        let key = try ratchet.next(group.algorithms).key.key.key
        let number: [UInt8] = [1]
        let nonce = [UInt8](repeating: 0, count: 8) + number + [0, 0, 0]
        let sealed = try AES.GCM.seal(Array(text.utf8), using: key, nonce: AES.GCM.Nonce(data: nonce))
        let tag = Array(sealed.tag.prefix(8))
        return Array(sealed.ciphertext) + tag + number + [UInt8(tag.count + number.count + 3), 0xFA, 0xFA]
    }
}
