public import NostrCore
internal import NostrNIPs

// How much money an event is about: what everybody can read of it, and what only its author can.
extension EventDraft {
    /// How much money it says it is about; `nil` where it says nothing that can be read.
    ///
    /// Unit: thousandths of a satoshi. Source: NIP-57 (`amount` of a zap request), NIP-75 (of a goal), NIP-61 (the proofs of a nutzap in `sat` or `msat`).
    public var amount: Int64? {
        switch kind {
        case ZapRequest.kind, 9041:
            return tags.firstValue("amount").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
        case 9321:
            var proofs: [JSONValue] = []
            for proof in tags.named("proof") {
                // A proof that cannot be read makes the sum unknown.
                guard let text = proof.value, let value = try? JSONValue(Array(text.utf8), depth: 4) else { return nil }
                proofs.append(value)
            }
            return CashuWallet.sum(of: proofs, in: tags.firstValue("unit") ?? "sat")
        default: return nil
        }
    }

    /// The longest content that is decrypted to look for an amount, in bytes.
    private static let longestSealed = 100_000

    /// With whom the content is encrypted, where an amount may be in it; `nil` for other drafts.
    ///
    /// - Parameter author: who signs, and encrypts what only they read for themselves.
    func sealsAmount(for author: PublicKey) -> PublicKey? {
        guard content.utf8.count <= Self.longestSealed else { return nil }
        switch kind {
        case CashuWallet.tokens, CashuWallet.history: return author
        // What is no key is no wallet.
        case WalletRequest.kind: return tags.firstValue("p").flatMap { try? PublicKey(hex: $0) }
        default: return nil
        }
    }

    /// The amount in the decrypted content; unit: thousandths of a satoshi.
    func amount(in plaintext: String) -> Int64? {
        switch kind {
        case CashuWallet.tokens: CashuWallet.amount(ofTokens: plaintext)
        case CashuWallet.history: CashuWallet.amount(ofHistory: plaintext)
        case WalletRequest.kind: WalletRequest(json: plaintext)?.amount
        default: nil
        }
    }
}
