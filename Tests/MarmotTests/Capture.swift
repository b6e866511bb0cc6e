import Foundation
import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

/// A conversation that MDK 0.8.0 had: events, rumors, and Bob's private keys.
struct Capture {
    struct Step {
        let name: String
        let sender: String
        let event: Event
        let result: String?
        let epochAfter: UInt64
        let exporters: [(epoch: UInt64, label: String, secret: [UInt8])]
    }

    static let path = "marmot/mdk-0.8.0-capture.json"
    static let reason: Testing.Comment = "the conversation of MDK has no public home; set LINNET_VECTORS"

    let keyPackage: Event
    let legacyKeyPackage: Event
    let welcome: Rumor
    let steps: [Step]
    private let root: [String: Any]

    init() throws {
        root = try Self.object(JSONSerialization.jsonObject(with: Vectors.data(Self.path)))
        keyPackage = try Self.event(root["bob_key_package_event"])
        legacyKeyPackage = try Self.event(root["bob_key_package_event_443"])
        welcome = try Rumor(json: Self.text(root["welcome_rumor"]))
        let all = try #require(root["steps"] as? [[String: Any]])
        steps = try all.map { step in
            let exporters = try #require(step["exporters_after"] as? [[String: Any]])
            return Step(
                name: try #require(step["name"] as? String), sender: try #require(step["sender"] as? String),
                event: try Self.event(step["event"]), result: (step["result"] as? [String: String])?["bob"],
                epochAfter: UInt64(try #require(step["epoch_after"] as? Int)),
                exporters: try exporters.map {
                    let secret = try #require($0["secret"] as? String)
                    return (
                        UInt64(try #require($0["epoch"] as? Int)), try #require($0["label"] as? String),
                        try decodeHex(secret, byteCount: 32)
                    )
                })
        }
    }

    /// When it was.
    var now: Timestamp { keyPackage.createdAt + .seconds(60) }

    func person(_ name: String) throws -> SecretKey {
        try SecretKey(hex: #require((Self.object(root["identities"])[name] as? [String: String])?["sk"]))
    }

    /// Bob's key package with its private keys.
    func own() throws -> OwnKeyPackage {
        let keys = try #require(root["bob_key_package_private"] as? [String: String])
        func key(_ name: String) throws -> [UInt8] { try decodeHex(#require(keys[name]), byteCount: 32) }
        return try OwnKeyPackage(
            keyPackage: KeyPackage(bytes: #require(Base64.decode(keyPackage.content))), initKey: key("init_priv"),
            leafKey: key("encryption_priv"),
            signer: SignaturePrivateKey(bytes: key("signature_priv"), for: .x25519AES128))
    }

    /// What Alice sends Bob, through a gift wrap.
    func gift() throws -> UnwrappedGift {
        var random = SeededRandom(seed: 1)
        let bob = try person("bob")
        let wrap = try GiftWrap.make(
            welcome, by: person("alice"), for: bob.publicKey, now: welcome.createdAt, using: &random)
        return try UnwrappedGift(opening: wrap, with: bob, authors: ConversationKeyCache())
    }

    func invitation() throws -> Invitation {
        try Invitation(
            WelcomeRumor(gift()), with: own(), publishedAs: [keyPackage.id, legacyKeyPackage.id],
            profile: GenerationB())
    }

    static func event(_ any: Any?) throws -> Event {
        try Event(verifying: UnverifiedEvent(json: Array(text(any).utf8)))
    }

    private static func text(_ any: Any?) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object(any)), as: UTF8.self)
    }

    private static func object(_ any: Any?) throws -> [String: Any] { try #require(any as? [String: Any]) }
}

extension MarmotPolicy {
    /// A policy whose clock stands.
    static func at(_ now: Timestamp) -> MarmotPolicy { MarmotPolicy(GenerationB(), clock: { now }) }
}
