internal import NostrCore
internal import NostrNIPs
internal import Secp256k1

// What people sell each other over Lightning.
extension Chronicle {
    /// Somebody sells something small: an invoice over Lightning stands below the words, open for a day.
    func addInvoice(to text: inout String, by author: Int, at moment: Timestamp) {
        let wares: [(words: String, sats: Int64)] = [
            ("a jar of heather honey", 21_000), ("two rhubarb crowns", 4_200), ("a drawing of the weir", 50_000),
            ("a loaf from this morning", 2_500),
        ]
        let seed = Array("\(author) \(moment.seconds)".utf8)
        let ware = wares[Int(seed.reduce(0) { $0 &* 31 &+ UInt32($1) } % UInt32(wares.count))]
        var draft = InvoiceDraft(
            millisatoshis: ware.sats * 1000, createdAt: moment, paymentHash: bytes(of: seed, 1),
            paymentSecret: bytes(of: seed, 7), purpose: .text(ware.words))
        draft.expiry = 86_400
        // Keys of the world are keys of nodes too: nobody is paid here.
        guard let invoice = people[author].keyholder.key.withBytes({ try? draft.signed(by: SigningKey(secret: $0)) })
        else { return }
        text += "\n\nFor sale: \(ware.words).\n\n\(invoice)"
    }

    /// 32 bytes that differ by seed and factor; they need not be secret here.
    private func bytes(of seed: [UInt8], _ factor: UInt8) -> [UInt8] {
        (0..<32).map { index in seed[index % seed.count] &* factor &+ UInt8(index) }
    }
}
