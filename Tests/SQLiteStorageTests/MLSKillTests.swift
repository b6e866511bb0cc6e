import Foundation
import NostrCore
import NostrTesting
import Testing

@testable import MLS

@Suite struct MLSKillTests {
    @Test(
        "a member killed at any moment talks on, and never uses a generation twice",
        arguments: [1, 2, 3, 4] as [UInt64])
    func survives(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        var other = try Other(inbox: folder.file("inbox"))
        var random = SeededRandom(seed: seed)
        // 4 × 55 = 220 deaths: half by themselves right before or after a change, half from outside.
        for round in 0..<55 as Range<UInt64> {
            var arguments = ["--mls", folder.file("mls.sqlite"), folder.file("inbox"), "\(seed * 1000 + round)"]
            var lines: Int? = Int.random(in: 0...12, using: &random)
            if round % 2 == 0 {
                arguments += [
                    Bool.random(using: &random) ? "before" : "after", "\(Int.random(in: 0..<12, using: &random))",
                ]
                lines = nil
            }
            let output = try await WriterProcess.lines(of: arguments, killedAfter: lines)
            for line in output { try other.take(line) }
            try other.answer(&random)
        }
        // Left alone at last, it reads everything, and both are where the other is.
        let output = try await WriterProcess.lines(
            of: ["--mls", folder.file("mls.sqlite"), folder.file("inbox"), "\(seed)"], killedAfter: nil)
        for line in output { try other.take(line) }
        #expect(output.last == "done")
        #expect(other.generations.count > 200, "seed \(seed)")
        #expect(other.group?.epoch ?? 0 > 20, "seed \(seed)")
        #expect(Set(other.said).subtracting(other.heard) == [], "seed \(seed): nothing it was sent is lost")
    }
}

/// The other member, who is never killed and forgets nothing.
private struct Other {
    private struct Generation: Hashable {
        let epoch: UInt64
        let leaf: LeafIndex
        let isApplication: Bool
        let generation: UInt32
    }

    private let inbox: String
    private let package: OwnKeyPackage
    private var seen: Set<String> = []
    private var lines: [String]
    private(set) var group: Group?
    /// Whether the member speaks in the group; before, another invitation may come.
    private var isKept = false
    private(set) var generations: [AnyHashable: String] = [:]
    private(set) var said: [String] = []
    private(set) var heard: Set<String> = []

    init(inbox: String) throws {
        self.inbox = inbox
        package = try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: SignaturePrivateKey(for: .x25519AES128),
            credential: .basic(identity: Array("other".utf8)), lifetime: Lifetime(notBefore: 0, notAfter: .max))
        lines = [encodeHex(MLSMessage(package.keyPackage).encoded)]
        try write()
    }

    /// Takes a line of the member, whose every message is new or one that came before.
    mutating func take(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 2, seen.insert(line).inserted else { return }
        if words[0] == "read" {
            heard.insert(words[1])
            return
        }
        let message = try MLSMessage(bytes: decodeHex(words[1], byteCount: words[1].utf8.count / 2))
        if let welcome = message.welcome {
            var options = GroupOptions()
            options.sendsBeforeCommitting = true
            group = try Group(joining: welcome, with: package, policy: TrustEverybody(), options: options)
            return
        }
        isKept = true
        try note(message, as: words[1])
        switch try group?.process(message) {
        case .commit(let staged): try group?.merge(staged)
        case .application(let data): #expect(data.data.starts(with: Array("text".utf8)))
        case .proposal, nil: break
        }
    }

    /// No two ciphertexts have one generation.
    private mutating func note(_ message: MLSMessage, as text: String) throws {
        guard case .privateMessage(let body) = message.body, let group else { return }
        let keys = body.epoch == group.epoch ? group.keys : group.past.first { $0.epoch == body.epoch }?.keys
        let sender = try #require(try keys?.sender(of: body, group.algorithms))
        let generation = Generation(
            epoch: body.epoch, leaf: sender.leaf, isApplication: body.contentType == .application,
            generation: sender.generation)
        #expect(generations[generation] == nil, "a generation is used twice")
        generations[generation] = text
    }

    /// Says something, and sometimes commits.
    mutating func answer(_ random: inout some RandomNumberGenerator) throws {
        guard isKept, var group else { return }
        let text = Array("answer \(said.count)".utf8)
        said.append(encodeHex(text))
        lines.append(encodeHex(try group.encrypt(text).encoded))
        if Int.random(in: 0..<4, using: &random) == 0 {
            let commit = try group.commit()
            try group.merge(commit.staged)
            lines.append(encodeHex(commit.message.encoded))
        }
        self.group = group
        try write()
    }

    private func write() throws {
        try lines.joined(separator: "\n").write(toFile: inbox, atomically: true, encoding: .utf8)
    }
}
