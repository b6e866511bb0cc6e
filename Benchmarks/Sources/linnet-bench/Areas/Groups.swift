import Crypto
import Foundation
import MLS
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import SQLiteStorage

/// How MLS groups grow: what a message, a member and a commit cost in groups of 2 to 1000, and what MDK takes for the
/// same in memory, where `scripts/peers.sh` has put it.
let groups = Area(name: "mls") { _ in
    let memory = try memoryFigures()
    // Before and after MDK, and the mean of both: the machine's own speed changes within a minute.
    let before = try messageFigures() + memberFigures()
    let mdk = try mdkFigures()
    let after = try messageFigures() + memberFigures()
    let own = zip(before, after).map { first, second in
        Measurement(
            name: first.name, value: (first.value + second.value) / 2, unit: first.unit, what: first.what)
    }
    return try memory + own + commitFigures() + (await diskFigures()) + mdk
}

private let suite = CipherSuite.x25519AES128

// MARK: messages

/// A message from text to an event and back, as an app does it: rumor, MLS, the outer cipher, the signature.
private func messageFigures() throws -> [Measurement] {
    var figures: [Measurement] = []
    // Whatever is measured first pays for pages and caches that all others find warm.
    var warming = try Town(2).first
    for _ in 0..<200 { _ = try Envelope.seal("", in: &warming) }
    for size in [2, 10, 100, 1000] {
        let town = try Town(size)
        var (alice, bob) = (town.first, try town.join(1))
        var events: [[UInt8]] = []
        figures.append(
            try time("mls-create-\(size)", "a message of 100 characters, made in a group of \(size)", count: 200) {
                events.append(try Envelope.seal(String(repeating: "x", count: 100), in: &alice))
            })
        var next = 0
        figures.append(
            try time("mls-process-\(size)", "the same, opened", count: 200) {
                let text = try Envelope.open(events[next], in: &bob)
                precondition(text.utf8.count == 100)
                next += 1
            })
    }
    return figures
}

/// What goes around a message on relays (Marmot, generation of MDK 0.8).
private enum Envelope {
    private static let author = {
        var random = SystemRandomNumberGenerator()
        return SecretKey.generate(using: &random).publicKey
    }()

    static func seal(_ text: String, in group: inout Group) throws -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        let moment = Timestamp(seconds: 1_700_000_000)
        let rumor = Rumor(EventDraft(kind: 9, tags: [], content: text, createdAt: moment), author: author)
        let message = try group.encrypt(Array(rumor.json.utf8))
        let box = try ChaChaPoly.seal(message.encoded, using: key(of: group))
        let draft = EventDraft(
            kind: 445, tags: [["h", String(repeating: "ab", count: 32)], ["encoding", "base64"]],
            content: box.combined.base64EncodedString(), createdAt: moment)
        return Event(signing: draft, with: SecretKey.generate(using: &random), using: &random).json
    }

    static func open(_ json: [UInt8], in group: inout Group) throws -> String {
        let event = try Event(verifying: UnverifiedEvent(json: json))
        let box = try ChaChaPoly.SealedBox(combined: Data(base64Encoded: event.content) ?? Data())
        let message = try MLSMessage(bytes: Array(ChaChaPoly.open(box, using: key(of: group))))
        guard case .application(let received) = try group.process(message) else { return "" }
        return try Rumor(json: String(decoding: received.data, as: UTF8.self)).content
    }

    private static func key(of group: Group) throws -> SymmetricKey {
        SymmetricKey(data: try group.export(label: "marmot", context: Array("group-event".utf8), count: 32))
    }
}

// MARK: members

/// Joining a group, adding somebody, following that.
private func memberFigures() throws -> [Measurement] {
    var figures: [Measurement] = []
    for size in [2, 100, 1000] {
        var town = try Town(size)
        var bob = try town.join(1)
        figures.append(
            try time("mls-join-\(size)", "joining a group of \(size)", count: 5) { _ = try town.join(1) })
        var (add, follow): ([Double], [Double]) = ([], [])
        for _ in 0..<10 {
            let package = try keyPackage("new").keyPackage.encoded
            var commit: OwnCommit?
            add.append(
                try milliseconds { commit = try town.first.commit([.add(KeyPackage(bytes: package))]) })
            guard let commit else { break }
            try town.first.merge(commit.staged)
            let bytes = commit.message.encoded
            follow.append(
                try milliseconds {
                    guard case .commit(let staged) = try bob.process(MLSMessage(bytes: bytes)) else { return }
                    try bob.merge(staged)
                })
        }
        figures.append(usual(add, "mls-add-\(size)", "adding somebody to a group of \(size), Welcome and all"))
        figures.append(usual(follow, "mls-process-add-\(size)", "following that"))
    }
    return figures
}

// MARK: commits

/// New keys of one's own where others have renewed theirs: the tree is warm, so a commit has one ciphertext a level.
private func commitFigures() throws -> [Measurement] {
    var figures: [Measurement] = []
    for size in [2, 4, 8, 16, 32, 64, 125, 250, 500, 1000] {
        var town = try Town(size)
        var bob = try town.warm()
        var (commits, follows): ([Double], [Double]) = ([], [])
        var bytes: [UInt8] = []
        for _ in 0..<15 {
            commits.append(
                try milliseconds {
                    let commit = try town.first.commit()
                    bytes = commit.message.encoded
                    try town.first.merge(commit.staged)
                })
            follows.append(
                try milliseconds {
                    guard case .commit(let staged) = try bob.process(MLSMessage(bytes: bytes)) else { return }
                    try bob.merge(staged)
                })
        }
        figures.append(usual(commits, "mls-commit-\(size)", "new keys in a warm group of \(size)"))
        figures.append(usual(follows, "mls-process-commit-\(size)", "following that"))
        figures.append(
            Measurement(
                name: "mls-commit-bytes-\(size)", value: Double(bytes.count), unit: "bytes", what: "of that commit"))
    }
    return figures
}

// MARK: what is kept

/// Groups of 100 with five past epochs, each read from its own bytes, so that they share nothing.
private func memoryFigures() throws -> [Measurement] {
    let saved = try Town.lively().saved.encoded
    guard let before = residentBytes() else { return [] }
    var groups: [Group] = []
    for _ in 0..<50 { groups.append(try Group(SavedGroup(bytes: saved), policy: TrustEverybody())) }
    guard let after = residentBytes() else { return [] }
    return [
        Measurement(
            name: "mls-memory", value: Double(after - before) / 1e6, unit: "MB",
            what: "\(groups.count) groups of 100 with their past")
    ]
}

/// The same group in a file, and steps that are on the disk when they return.
private func diskFigures() async throws -> [Measurement] {
    let folder = NSTemporaryDirectory() + "linnet-bench-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/records.sqlite"
    let store = try SQLiteRecordStore(path: path)
    let key = SealingKey(root: SymmetricKey(size: .bits256))
    var group = try Town.lively()
    func put(_ part: GroupPart, _ bytes: [UInt8]) throws -> RecordChange {
        let name = encodeHex(part.encoded)
        return .put(table: "groups", key: name, value: try key.seal(bytes, as: name))
    }
    try await store.apply(try group.saved.parts.map { try put($0, $1) })
    var times: [Double] = []
    for _ in 0..<50 {
        let start = ContinuousClock.now
        _ = try group.encrypt(Array(repeating: 1, count: 100))
        try await store.apply([try put(.messageKeys, group.saved.parts[.messageKeys] ?? [])])
        times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    try store.close()
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    return [
        Measurement(
            name: "mls-state", value: Double(size) / 1000, unit: "kB", what: "a group of 100 with its past, on disk"),
        usual(times, "mls-encrypt-on-disk", "a message in it, its key spent on the disk"),
    ]
}

private func residentBytes() -> Int? {
    // Only Linux has this file; elsewhere there is no figure.
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
}

// MARK: MDK

/// What MDK takes from Python, with its database in memory.
private func mdkFigures() throws -> [Measurement] {
    // This file is Benchmarks/Sources/linnet-bench/Areas/Groups.swift.
    var root = URL(filePath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    let python = root.appending(path: ".venv-peers/bin/python")
    guard FileManager.default.isExecutableFile(atPath: python.path) else { return [] }
    let process = Process()
    let output = Pipe()
    process.executableURL = python
    process.arguments = [root.appending(path: "Tests/Interop/Peers/mdk_bench.py").path, "2", "100"]
    process.standardOutput = output
    try process.run()
    let lines = output.fileHandleForReading.readDataToEndOfFile().split(separator: UInt8(ascii: "\n"))
    process.waitUntilExit()
    let names = [
        "create_message": "create", "process_message": "process", "join": "join", "add_member": "add",
        "process_add": "process-add", "self_update": "cold-commit", "process_update": "process-cold-commit",
    ]
    return try lines.flatMap { line in
        let times = try JSONDecoder().decode([String: Double].self, from: line)
        return names.sorted { $0.key < $1.key }.compactMap { key, name in
            times[key].map {
                Measurement(
                    name: "mdk-\(name)-\(Int(times["n"] ?? 0))", value: $0, unit: "ms",
                    what: "MDK in memory, from Python")
            }
        }
    }
}

// MARK: groups

/// A group whose first member added all others at once, and whose others come in when they are needed.
private struct Town {
    var first: Group
    private var welcome: Welcome?
    private let packages: [OwnKeyPackage]

    init(_ size: Int) throws {
        packages = try (1..<size).map { try keyPackage("member \($0)") }
        first = try Group(creating: [1, 2, 3], with: keyPackage("first"), policy: TrustEverybody())
        let commit = try first.commit(packages.map { .add($0.keyPackage) })
        try first.merge(commit.staged)
        welcome = commit.welcome
        behind = []
    }

    /// The commits that who joins later must follow.
    private var behind: [MLSMessage]

    /// A member by place, who follows everything so far.
    func join(_ place: Int) throws -> Group {
        guard let welcome else { preconditionFailure("there is a Welcome") }
        var group = try Group(joining: welcome, with: packages[place - 1], policy: TrustEverybody())
        for message in behind {
            guard case .commit(let staged) = try group.process(message) else { break }
            try group.merge(staged)
        }
        return group
    }

    /// Has somebody below each node beside the first member's path commit, so that all those nodes have keys.
    ///
    /// - Returns: the last of them, right beside the first.
    mutating func warm() throws -> Group {
        // The leaf at the start of each half that the first member is not in, the largest half first.
        for level in (0...10).reversed() where 1 << level <= packages.count {
            var other = try join(1 << level)
            let commit = try other.commit()
            if case .commit(let staged) = try first.process(commit.message) { try first.merge(staged) }
            behind.append(commit.message)
            try other.merge(commit.staged)
            if level == 0 { return other }
        }
        return first
    }

    /// A group of 100 that has had some epochs, and messages in each from half of the members.
    static func lively() throws -> Group {
        var town = try Town(100)
        var others = try (1..<51).map { try town.join($0) }
        for _ in 0..<6 {
            for place in others.indices {
                guard case .application = try town.first.process(others[place].encrypt([1, 2, 3])) else { break }
            }
            let commit = try town.first.commit()
            try town.first.merge(commit.staged)
            for place in others.indices {
                guard case .commit(let staged) = try others[place].process(commit.message) else { break }
                try others[place].merge(staged)
            }
        }
        return town.first
    }
}

private func keyPackage(_ name: String) throws -> OwnKeyPackage {
    try OwnKeyPackage(
        cipherSuite: suite, signer: SignaturePrivateKey(for: suite), credential: .basic(identity: Array(name.utf8)),
        lifetime: Lifetime(notBefore: 0, notAfter: .max))
}

// MARK: clocks

private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure { try body() } / .milliseconds(1)
}

private func time(_ name: String, _ what: String, count: Int, _ body: () throws -> Void) rethrows -> Measurement {
    var times: [Double] = []
    for _ in 0..<count { times.append(try milliseconds(body)) }
    return usual(times, name, what)
}

/// The lower quartile, which other programs disturb less than they do the median.
private func usual(_ times: [Double], _ name: String, _ what: String) -> Measurement {
    Measurement(name: name, value: times.sorted()[times.count / 4], unit: "ms", what: what)
}
