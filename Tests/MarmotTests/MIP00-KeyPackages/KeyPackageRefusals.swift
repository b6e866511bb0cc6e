import NostrCore
import NostrNIPs
import Testing

@testable import Marmot

/// What is refused of a published key package.
enum KeyPackageRefusals {
    /// A change of an event, and what comes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: MarmotError.Code
        let change: @Sendable (inout EventDraft) -> Void

        init(_ name: String, _ code: MarmotError.Code, _ change: @escaping @Sendable (inout EventDraft) -> Void) {
            (testDescription, self.code, self.change) = (name, code, change)
        }
    }

    static let all: [Case] = [
        Case("another kind", .wrongKind) { $0.kind = 1 },
        Case("no d", .missingTag) { $0.drop("d") },
        Case("a short d", .badTag) { $0.set("d", "ab") },
        Case("no version", .missingTag) { $0.drop("mls_protocol_version") },
        Case("version 2.0", .unsupported) { $0.set("mls_protocol_version", "2.0") },
        Case("no cipher suite", .missingTag) { $0.drop("mls_ciphersuite") },
        Case("cipher suite 3", .unsupported) { $0.set("mls_ciphersuite", "0x0003") },
        Case("a decimal cipher suite", .badTag) { $0.set("mls_ciphersuite", "1") },
        Case("no extensions", .missingTag) { $0.drop("mls_extensions") },
        Case("an extension without 0x", .badTag) { $0.set("mls_extensions", "0x000a", "f2ee") },
        Case("no group data", .unsupported) { $0.set("mls_extensions", "0x000a") },
        Case("no last resort", .unsupported) { $0.set("mls_extensions", "0xf2ee") },
        Case("no proposals", .missingTag) { $0.drop("mls_proposals") },
        Case("no SelfRemove", .unsupported) { $0.set("mls_proposals", "0x000b") },
        Case("no relays", .missingTag) { $0.drop("relays") },
        Case("an empty list of relays", .badTag) { $0.set("relays") },
        Case("no usable relay", .badTag) { $0.set("relays", "https://relay.example.com", "") },
        Case("no reference", .missingTag) { $0.drop("i") },
        Case("another's reference", .badTag) { $0.set("i", String(repeating: "0", count: 64)) },
        Case("no encoding", .missingTag) { $0.drop("encoding") },
        Case("hex", .badTag) { $0.set("encoding", "hex") },
        Case("nonsense for Base64", .badEncoding) { $0.content = "*not base64*" },
        Case("Base64 without padding", .badEncoding) { $0.content = "AAA" },
        Case("empty content", .malformed) { $0.content = "" },
        Case("bytes that are no key package", .malformed) { $0.content = "AAECAw==" },
        Case("a byte behind it", .malformed) { draft in
            let bytes = (Base64.decode(draft.content) ?? []) + [0]
            draft.content = Base64.encode(bytes.span)
        },
        Case("a forged signature inside", .refusedByMLS) { draft in
            var bytes = Base64.decode(draft.content) ?? [0]
            bytes[bytes.count - 1] ^= 1
            draft.content = Base64.encode(bytes.span)
        },
        Case("too long", .tooLarge) { $0.content = String(repeating: "A", count: 24_000) },
    ]
}
