import Foundation
import MLS
import NostrCore
import NostrTesting
import Testing

/// How long groups of members of several libraries go on; a soak says more.
enum MixedSteps {
    static let count = ProcessInfo.processInfo.environment["LINNET_MLS_STEPS"].flatMap(Int.init) ?? 40
}

/// Everybody is who they say.
struct BelievingPolicy: GroupPolicy {
    func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { true }
}

@Suite(
    "MLS groups with mls-rs", .serialized, .timeLimit(.minutes(60)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct GroupsAgainstMLSRSTests {
    @Test(
        "whoever adds, removes, renews and speaks, in whatever order, all agree and read each other",
        arguments: [("uniffi", 1), ("uniffi", 2), ("rine", 3), ("rine", 4)] as [(String, UInt64)])
    func mixed(library: String, seed: UInt64) async throws {
        try await Peer.run("mls_rs_member.py", [library, "one"]) { one, _ in
            try await Peer.run("mls_rs_member.py", [library, "two"]) { two, _ in
                try await Peer.run("mls_rs_member.py", [library, "three"]) { three, _ in
                    var group = try await MixedGroup(library, [one, two, three], seed: seed)
                    for _ in 0..<MixedSteps.count { try await group.act() }
                    #expect(group.commits > MixedSteps.count / 4 && group.said > MixedSteps.count / 8)
                }
            }
        }
    }
}

/// A group of members by our library and by another, and chance.
private struct MixedGroup {
    /// A member by our library.
    struct Own {
        var group: Group
        let identity: [UInt8]
    }

    private enum Author: Equatable {
        case own(Int)
        case peer(Int)
    }

    private static let suite = CipherSuite.x25519AES128
    private static let most = 6

    let library: String
    let peers: [Peer]
    var random: SeededRandom
    var own: [Own] = []
    /// Peers in the group, with what they are called in it.
    var inside: [Int: [UInt8]] = [:]
    private(set) var commits = 0
    private(set) var said = 0

    /// A group that we make, or one of them does.
    init(_ library: String, _ peers: [Peer], seed: UInt64) async throws {
        (self.library, self.peers, random) = (library, peers, SeededRandom(seed: seed))
        let package = try package()
        if Bool.random(using: &random) {
            let group = try Group(
                creating: [1, 2, 3], with: package, policy: BelievingPolicy(), options: options())
            own = [Own(group: group, identity: Self.identity(of: package.keyPackage))]
            try await add(0, by: .own(0))
        } else {
            _ = try await ask(0, ["create"])
            let message = MLSMessage(package.keyPackage).encoded
            let made = try await ask(0, ["add", encodeHex(message)])
            _ = try await ask(0, ["merge"])
            try join(made[1], with: package)
            let known = own[0].group.members.first { Self.identity($0.leaf) != own[0].identity }
            inside[0] = Self.identity(try #require(known).leaf)
        }
        try await agree()
    }

    private func options() -> GroupOptions {
        var options = GroupOptions()
        options.sendsBeforeCommitting = true
        // How a member of rine takes what is encrypted, it does not say.
        options.encryptsHandshake = false
        return options
    }

    /// A key package of another member by our library; rine wants people to be called by their keys.
    private func package() throws -> OwnKeyPackage {
        let signer = try SignaturePrivateKey(for: Self.suite)
        return try OwnKeyPackage(
            cipherSuite: Self.suite, signer: signer, credential: .basic(identity: signer.publicKey.bytes),
            lifetime: Lifetime(notBefore: 0, notAfter: .max))
    }

    private static func identity(of package: KeyPackage) -> [UInt8] { identity(package.leafNode) }

    private static func identity(_ leaf: LeafNode) -> [UInt8] {
        if case .basic(let identity) = leaf.credential { identity } else { [] }
    }

    private func ask(_ peer: Int, _ command: [String]) async throws -> [String] {
        let answer = try await peers[peer].ask(command)
        try #require(answer.first != "failed", "\(library) \(peer) at \(command[0]): \(answer)")
        return answer
    }

    // MARK: - Chance

    mutating func act() async throws {
        let author = anybody()
        let outside = peers.indices.filter { inside[$0] == nil }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: try await sendWords(author)
        case 3..<5 where !outside.isEmpty:
            try await add(outside[Int.random(in: outside.indices, using: &random)], by: author)
        case 3..<5 where own.count < Self.most: try await addOwn(by: author)
        case 5: if own.count < Self.most { try await addOwn(by: author) }
        case 6..<8: try await remove(by: author)
        default: try await renew(author)
        }
    }

    private mutating func anybody() -> Author {
        let all = own.indices.map { Author.own($0) } + inside.keys.sorted().map { Author.peer($0) }
        return all[Int.random(in: all.indices, using: &random)]
    }

    private mutating func sendWords(_ author: Author) async throws {
        said += 1
        let text = "words \(Int.random(in: 0..<1_000_000, using: &random)) 🦜"
        let message: [UInt8]
        switch author {
        case .own(let place): message = try own[place].group.encrypt(Array(text.utf8)).encoded
        case .peer(let peer): message = try bytes(of: try await ask(peer, ["say", text])[0])
        }
        for place in own.indices where author != .own(place) {
            guard case .application(let heard) = try own[place].group.process(MLSMessage(bytes: message)) else {
                Issue.record("no data")
                continue
            }
            #expect(heard.data == Array(text.utf8))
        }
        for peer in inside.keys where author != .peer(peer) {
            #expect(try await ask(peer, ["process", encodeHex(message)]) == ["application", text])
        }
    }

    /// Adds a peer.
    private mutating func add(_ newcomer: Int, by author: Author) async throws {
        let offered = try await ask(newcomer, ["key_package"])[0]
        let package = try #require(try MLSMessage(bytes: bytes(of: offered)).keyPackage)
        let welcome = try await commit(.add(package), ["add", offered], by: author)
        _ = try await ask(newcomer, ["join", try #require(welcome)])
        inside[newcomer] = Self.identity(of: package)
        try await agree()
    }

    private mutating func addOwn(by author: Author) async throws {
        let package = try package()
        let bytes = encodeHex(MLSMessage(package.keyPackage).encoded)
        let welcome = try await commit(.add(package.keyPackage), ["add", bytes], by: author)
        try join(try #require(welcome), with: package)
        try await agree()
    }

    private mutating func join(_ welcome: String, with package: OwnKeyPackage) throws {
        let message = try #require(try MLSMessage(bytes: bytes(of: welcome)).welcome)
        let group = try Group(joining: message, with: package, policy: BelievingPolicy(), options: options())
        own.append(Own(group: group, identity: Self.identity(of: package.keyPackage)))
    }

    private mutating func remove(by author: Author) async throws {
        // One of ours stays to see; only rine's members remove by a name.
        let isAble = if case .own = author { true } else { library == "rine" }
        let members = own.dropFirst().map(\.identity) + inside.values.sorted { encodeHex($0) < encodeHex($1) }
        let others = members.filter { $0 != identity(of: author) }
        guard isAble, others.count > 1 else { return try await renew(author) }
        let gone = others[Int.random(in: others.indices, using: &random)]
        let place = try #require(own[0].group.members.first { Self.identity($0.leaf) == gone }).index
        _ = try await commit(.remove(place), ["remove", encodeHex(gone)], by: author, without: gone)
        try await agree()
    }

    private func identity(of author: Author) -> [UInt8] {
        switch author {
        case .own(let place): own[place].identity
        case .peer(let peer): inside[peer] ?? []
        }
    }

    private mutating func renew(_ author: Author) async throws {
        if library == "rine", case .peer = author { return try await sendWords(author) }
        _ = try await commit(nil, ["update"], by: author)
        try await agree()
    }

    // MARK: - Commits

    /// Has somebody commit a change, and all others follow; gives the Welcome, if there is one.
    ///
    /// - Parameters:
    ///   - proposal: the change, where we make it; by reference at times, as another member's wish.
    ///   - command: how a peer makes it.
    ///   - gone: who is removed by it.
    private mutating func commit(
        _ proposal: Proposal?, _ command: [String], by author: Author, without gone: [UInt8]? = nil
    ) async throws -> String? {
        commits += 1
        var welcome: String?
        let message: [UInt8]
        switch author {
        case .own(let place):
            let isWish = library == "uniffi" && proposal != nil && Bool.random(using: &random)
            if isWish, let proposal { try await wish(proposal, by: anybody(in: own.indices, but: gone)) }
            let made = try own[place].group.commit(isWish ? [] : proposal.map { [$0] } ?? [])
            try own[place].group.merge(made.staged)
            (message, welcome) = (made.message.encoded, made.welcome.map { encodeHex(MLSMessage($0).encoded) })
        case .peer(let peer):
            let made = try await ask(peer, command)
            _ = try await ask(peer, ["merge"])
            (message, welcome) = (try bytes(of: made[0]), made.count > 1 ? made[1] : nil)
        }
        try await follow(message, by: author, without: gone)
        return welcome
    }

    private mutating func anybody(in places: Range<Int>, but gone: [UInt8]?) -> Int {
        let able = places.filter { own[$0].identity != gone }
        return able[Int.random(in: able.indices, using: &random)]
    }

    /// One of ours asks for a change, and everybody hears of it.
    private mutating func wish(_ proposal: Proposal, by asker: Int) async throws {
        let message = try own[asker].group.propose(proposal).encoded
        for place in own.indices where place != asker {
            guard case .proposal = try own[place].group.process(MLSMessage(bytes: message)) else {
                Issue.record("no proposal")
                continue
            }
        }
        for peer in inside.keys {
            #expect(try await ask(peer, ["process", encodeHex(message)]) == ["proposal"])
        }
    }

    private mutating func follow(_ message: [UInt8], by author: Author, without gone: [UInt8]?) async throws {
        for place in own.indices where author != .own(place) {
            guard case .commit(let staged) = try own[place].group.process(MLSMessage(bytes: message)) else {
                Issue.record("no commit")
                continue
            }
            #expect(staged.removesUs == (own[place].identity == gone))
            if !staged.removesUs { try own[place].group.merge(staged) }
        }
        for (peer, identity) in inside where author != .peer(peer) && identity != gone {
            #expect(try await ask(peer, ["process", encodeHex(message)]) == ["commit"])
        }
        own.removeAll { $0.identity == gone }
        inside = inside.filter { $0.value != gone }
    }

    /// All are in one epoch, and agree on what comes from it.
    private func agree() async throws {
        let first = own[0].group
        for one in own {
            #expect(one.group.epoch == first.epoch && one.group.epochAuthenticator == first.epochAuthenticator)
        }
        for peer in inside.keys {
            let state = try await ask(peer, ["state"])[0]
            if library == "uniffi" {
                #expect(state == encodeHex(try first.export(label: "linnet", context: [], count: 32)))
            } else {
                let members = first.members.sorted { $0.index < $1.index }
                    .map { "[\($0.index.rawValue), \"\(encodeHex(Self.identity($0.leaf)))\"]" }
                #expect(state == "[\(first.epoch), [\(members.joined(separator: ", "))]]")
            }
        }
    }
}

/// The bytes of hex digits that a peer printed.
func bytes(of hex: String) throws -> [UInt8] { try decodeHex(hex, byteCount: hex.utf8.count / 2) }
