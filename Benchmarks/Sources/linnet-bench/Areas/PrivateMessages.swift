import CSecp256k1Raw
import Crypto
import CryptoExtras
import Foundation
import NostrCore
import NostrNIPs
import NostrSigner

/// How near encryption comes to the ciphers it is made of, and opening gift wraps to the curve alone.
let privateMessages = Area(name: "private") { setting in
    try await cipherFigures(setting) + unwrappingFigures(setting) + peerFigures()
}

// MARK: NIP-44

private func cipherFigures(_ setting: Setting) async throws -> [Measurement] {
    let count = 20_000
    var random = Draws(state: setting.seed)
    let (mine, other) = (SecretKeyBox(&random), SecretKeyBox(&random))
    let key = try ConversationKey(between: mine.key, and: other.key.publicKey)
    let text = String(repeating: "abcdefghij", count: 100)
    let payload = try key.encrypt(text, using: &random)
    let primitives = Primitives(textLength: text.utf8.count)
    var nonces = Draws(state: setting.seed + 1)
    var best: [String: Measurement] = [:]
    for _ in 0..<15 {
        let round = try await [
            Measurement.once(
                "nip44-primitives", unit: "messages/s", what: "HKDF-expand, ChaCha20, HMAC of 1 kB, one core",
                count: count
            ) { for _ in 0..<count { try primitives.run() } },
            Measurement.once(
                "nip44-encrypt", unit: "messages/s", what: "1 kB with a key at hand, one core", count: count
            ) { for _ in 0..<count { _ = try key.encrypt(text, using: &nonces) } },
            Measurement.once(
                "nip44-decrypt", unit: "messages/s", what: "1 kB with a key at hand, one core", count: count
            ) { for _ in 0..<count { _ = try key.decrypt(payload) } },
            Measurement.once(
                "nip44-encrypt-anew", unit: "messages/s", what: "1 kB, the key derived each time", count: count / 20
            ) {
                for _ in 0..<count / 20 {
                    _ = try ConversationKey(between: mine.key, and: other.key.publicKey)
                        .encrypt(text, using: &nonces)
                }
            },
            Measurement.once(
                "nip44-decrypt-anew", unit: "messages/s", what: "1 kB, the key derived each time", count: count / 20
            ) {
                for _ in 0..<count / 20 {
                    _ = try ConversationKey(between: mine.key, and: other.key.publicKey).decrypt(payload)
                }
            },
        ]
        for measurement in round { best[measurement.name] = Measurement.better(best[measurement.name], measurement) }
    }
    return best.values.sorted { $0.name < $1.name }
}

/// The calls of swift-crypto that one message needs, on the same sizes, with all that is public made before.
private struct Primitives {
    let conversation = SymmetricKey(size: .bits256)
    let cipher = SymmetricKey(size: .bits256)
    let authentication = SymmetricKey(size: .bits256)
    let nonce = [UInt8](repeating: 7, count: 32)
    let cipherNonce = Insecure.ChaCha20CTR.Nonce()
    let padded: [UInt8]
    let authenticated: [UInt8]

    /// - Parameter textLength: 1000 is padded to 1024, which a prefix of two bytes precedes.
    init(textLength: Int) {
        precondition(textLength == 1000)
        padded = [UInt8](repeating: 1, count: 1026)
        authenticated = [UInt8](repeating: 2, count: 32 + 1026)
    }

    func run() throws {
        let keys = HKDF<SHA256>.expand(pseudoRandomKey: conversation, info: nonce, outputByteCount: 76)
        let text = try Insecure.ChaCha20CTR.encrypt(padded, using: cipher, nonce: cipherNonce)
        let code = HMAC<SHA256>.authenticationCode(for: authenticated, using: authentication)
        precondition(keys.bitCount == 608 && text.count == 1026 && code.byteCount == 32)
    }
}

// MARK: gift wraps

private func unwrappingFigures(_ setting: Setting) async throws -> [Measurement] {
    let count = 10_000
    var random = Draws(state: setting.seed)
    let reader = SecretKeyBox(&random)
    let signer = LocalSigner(try reader.copy())
    // Everybody writes once, so that no conversation key is there already; then fifty write often.
    let strangers = try wraps(count, by: count, for: reader.key.publicKey, using: &random)
    let friends = try wraps(count, by: 50, for: reader.key.publicKey, using: &random)
    guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else { return [] }
    defer { secp256k1_context_destroy(context) }
    let curve = try CurveWork(strangers.prefix(1000), reader: reader, context: SharedContext(pointer: context))
    let raw = { await curve.runOnAllCores(count) }
    let unwrap = { (lines: [ArraySlice<UInt8>]) in
        let events = await verify(lines: lines).compactMap { try? $0.get() }
        let gifts = try await signer.open(events)
        precondition(gifts.count == count && gifts.allSatisfy { if case .success = $0 { true } else { false } })
    }
    var best: [String: Measurement] = [:]
    for _ in 0..<3 {
        let round = try await [
            Measurement.once(
                "raw-unwrap", unit: "wraps/s", what: "2 verifies and 2 shared secrets, all cores", count: count, raw),
            Measurement.once("unwrap", unit: "wraps/s", what: "bytes to gifts of strangers, all cores", count: count) {
                try await unwrap(strangers)
            },
            Measurement.once("unwrap-known", unit: "wraps/s", what: "the same of 50 people", count: count) {
                try await unwrap(friends)
            },
            Measurement.perProcessor(
                "raw-unwrap-cpu", unit: "wraps/CPU s", what: "2 verifies and 2 shared secrets", count: count, raw),
            Measurement.perProcessor(
                "unwrap-cpu", unit: "wraps/CPU s", what: "bytes to gifts of strangers", count: count
            ) { try await unwrap(strangers) },
        ]
        for measurement in round { best[measurement.name] = Measurement.better(best[measurement.name], measurement) }
    }
    return best.values.sorted { $0.name < $1.name }
}

/// Messages of a few words, each wrapped, as JSON.
private func wraps(
    _ count: Int, by authors: Int, for reader: PublicKey, using random: inout Draws
) throws -> [ArraySlice<UInt8>] {
    let keys = (0..<authors).map { _ in SecretKeyBox(&random) }
    return try (0..<count).map { index in
        let author = keys[index % authors]
        let moment = Timestamp(seconds: 1_700_000_000 + Int64(index))
        let draft = ChatMessage.draft(
            words(using: &random), to: ChatRoom([reader, author.key.publicKey]), by: author.key.publicKey,
            createdAt: moment)
        return try GiftWrap.make(
            Rumor(draft, author: author.key.publicKey), by: author.key, for: reader, now: moment, using: &random
        ).json[...]
    }
}

/// What libsecp256k1 needs of a gift wrap: each pass is one verification and one shared secret, twice.
private struct CurveWork: Sendable {
    private let checks: [(signature: [UInt8], message: [UInt8], publicKey: [UInt8])]
    private let secret: [UInt8]
    private let context: SharedContext

    init(_ wraps: some Sequence<ArraySlice<UInt8>>, reader: SecretKeyBox, context: SharedContext) throws {
        checks = try wraps.map { line in
            let event = try UnverifiedEvent(json: line.span)
            return (event.signature.bytes.array, event.id.bytes.array, event.pubkey.bytes.array)
        }
        secret = reader.bytes
        self.context = context
    }

    func runOnAllCores(_ count: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for part in 0..<50 {
                group.addTask { for index in 0..<count / 50 { pass(part * count / 50 + index) } }
            }
        }
    }

    private func pass(_ index: Int) {
        let check = checks[index % checks.count]
        for _ in 0..<2 {
            var author = secp256k1_xonly_pubkey()
            precondition(secp256k1_xonly_pubkey_parse(context.pointer, &author, check.publicKey) == 1)
            precondition(
                secp256k1_schnorrsig_verify(context.pointer, check.signature, check.message, 32, &author) == 1)
            var point = secp256k1_pubkey()
            var shared = [UInt8](repeating: 0, count: 32)
            precondition(secp256k1_ec_pubkey_parse(context.pointer, &point, [2] + check.publicKey, 33) == 1)
            precondition(
                secp256k1_ecdh(
                    context.pointer, &shared, &point, secret,
                    { out, x, _, _ in
                        guard let out, let x else { return 0 }
                        out.update(from: x, count: 32)
                        return 1
                    }, nil) == 1)
        }
    }
}

/// A context that is only read: libsecp256k1 allows that from many threads.
private struct SharedContext: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// A key in an array and in closures, with its bytes for the curve alone.
private final class SecretKeyBox: Sendable {
    let key: SecretKey
    let bytes: [UInt8]

    init(_ random: inout Draws) {
        key = SecretKey.generate(using: &random)
        bytes = key.withBytes { span in span.indices.map { span[$0] } }
    }

    func copy() throws -> SecretKey { try SecretKey(hex: encodeHex(bytes)) }
}

// MARK: nostr-sdk

/// What nostr-sdk does from Python, where `scripts/peers.sh` has put it: it derives the key each time.
private func peerFigures() throws -> [Measurement] {
    // This file is Benchmarks/Sources/linnet-bench/Areas/PrivateMessages.swift.
    var root = URL(filePath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    let python = root.appending(path: ".venv-peers/bin/python")
    guard FileManager.default.isExecutableFile(atPath: python.path) else { return [] }
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = python
    process.arguments = [root.appending(path: "Tests/Interop/Peers/sdk_private.py").path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let secret = String(repeating: "01", count: 32)
    let other = "4d4b6cd1361032ca9bd2aeb9d900aa4d45d9ead80ac9423374c451a7254d0766"
    let text = String(repeating: "abcdefghij", count: 100)
    try input.fileHandleForWriting.write(
        contentsOf: JSONSerialization.data(withJSONObject: ["rate", secret, other, text]) + Data("\n".utf8))
    try input.fileHandleForWriting.close()
    let answers = output.fileHandleForReading.readDataToEndOfFile().split(separator: UInt8(ascii: "\n"))
    process.waitUntilExit()
    guard let last = answers.last, let rates = try JSONSerialization.jsonObject(with: last) as? [String],
        rates.count == 2, let encrypt = Double(rates[0]), let decrypt = Double(rates[1])
    else { return [] }
    return [
        Measurement(
            name: "sdk-encrypt", value: encrypt, unit: "messages/s", what: "nostr-sdk from Python, 1 kB, key each time"),
        Measurement(
            name: "sdk-decrypt", value: decrypt, unit: "messages/s", what: "nostr-sdk from Python, 1 kB, key each time"),
    ]
}
