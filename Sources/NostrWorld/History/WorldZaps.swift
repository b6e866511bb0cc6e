internal import Crypto
internal import NostrCore
internal import NostrNIPs
internal import Secp256k1

/// What people of the world pay each other for notes: receipts of the one wallet they all use, and a few that somebody
/// forged.
struct WorldZaps {
    /// Who signs what the wallet at `sats.example` says.
    private let wallet: Keyholder
    private let people: [WorldPerson]
    private let graph: FollowGraph
    private let now: Timestamp
    private var dice: Dice

    /// Pays for some of what was written in public in the last days.
    ///
    /// - Returns: the key of the wallet, which signs the receipts.
    static func pay(
        people: [WorldPerson], graph: FollowGraph, now: Timestamp, seed: UInt64, beside written: inout [Written]
    ) -> PublicKey {
        var zaps = WorldZaps(people: people, graph: graph, now: now, seed: seed)
        zaps.write(beside: &written)
        return zaps.wallet.key.publicKey
    }

    /// Pays for answers of zap polls, also with sums the poll does not take, more than once, and with a forgery.
    static func vote(
        in polls: [Written], people: [WorldPerson], graph: FollowGraph, now: Timestamp, seed: UInt64,
        beside written: inout [Written]
    ) {
        var zaps = WorldZaps(people: people, graph: graph, now: now, seed: seed)
        // A sequence of its own: it changes nothing of what is paid for notes.
        zaps.dice = Dice(seed: seed ^ 0x9012)
        for poll in polls {
            let options = poll.event.tags.filter { $0.name == ZapPoll.optionTag }.count
            guard options > 0 else { continue }
            for sender in zaps.graph.followers[poll.author].filter({ $0 != poll.author }).prefix(12) {
                let isForged = zaps.dice.chance(0.1)
                for _ in 0..<(zaps.dice.chance(0.2) ? 2 : 1) {
                    // Some pay for an answer that is not there.
                    let option = zaps.dice.whole(0...options)
                    let receipt = zaps.receipt(for: poll.event, from: sender, isForged: isForged, option: option)
                    if let receipt { written.append(Written(event: receipt, author: poll.author)) }
                }
            }
        }
    }

    private init(people: [WorldPerson], graph: FollowGraph, now: Timestamp, seed: UInt64) {
        self.people = people
        self.graph = graph
        self.now = now
        dice = Dice(seed: seed ^ 0x5A75)
        wallet = Keyholder(SecretKey.generate(using: &dice))
    }

    /// Whose newest profile says where they are paid.
    static func payable(_ written: [Written]) -> Set<Int> {
        var newest: [Int: Event] = [:]
        for item in written where item.event.kind == 0 {
            if let known = newest[item.author], known.createdAt > item.event.createdAt { continue }
            newest[item.author] = item.event
        }
        return Set(newest.filter { $0.value.content.contains("@sats.example") }.keys)
    }

    /// What signs receipts in the world of a seed.
    static func wallet(seed: UInt64) -> Keyholder {
        var dice = Dice(seed: seed ^ 0x5A75)
        return Keyholder(SecretKey.generate(using: &dice))
    }

    /// A receipt for what somebody paid to somebody for what has an address.
    static func receipt(
        for address: EventAddress, to recipient: PublicKey, sats: Int64, words: String, from sender: Keyholder,
        wallet: Keyholder, signedBy signer: Keyholder, at moment: Timestamp, using dice: inout Dice
    ) -> Event? {
        let tags: [Tag] = [
            ["relays", "wss://sats.example"], ["amount", String(sats * 1000)], ["p", recipient.hex],
            ["a", address.description],
        ]
        let request = Event(
            signing: EventDraft(kind: ZapRequest.kind, tags: tags, content: words, createdAt: moment),
            with: sender.key, using: &dice)
        let draft = InvoiceDraft(
            millisatoshis: sats * 1000, createdAt: moment, paymentHash: dice.bytes(32), paymentSecret: dice.bytes(32),
            purpose: .hash(Array(SHA256.hash(data: request.json))))
        guard let read = try? ZapRequest(request),
            let invoice = wallet.key.withBytes({ try? draft.signed(by: SigningKey(secret: $0)) })
        else { return nil }
        let receipt = ZapReceipt.draft(for: read, invoice: invoice, paidAt: moment + .seconds(2))
        return Event(signing: receipt, with: signer.key, using: &dice)
    }

    private mutating func write(beside open: inout [Written]) {
        let start = now - .seconds(10 * 86_400)
        let notes = open.filter {
            $0.event.kind == 1 && $0.event.createdAt > start && ThreadReferences($0.event.tags).root == nil
        }
        for note in notes {
            let followers = graph.followers[note.author]
            guard dice.chance(0.35), !followers.isEmpty else { continue }
            for _ in 0..<dice.whole(1...4) {
                guard let sender = dice.pick(followers), sender != note.author,
                    let receipt = receipt(for: note.event, from: sender)
                else { continue }
                open.append(Written(event: receipt, author: note.author))
            }
            if dice.chance(0.1), let receipt = receipt(for: note.event, from: 0, isForged: true) {
                open.append(Written(event: receipt, author: note.author))
            }
        }
    }

    /// A receipt for what somebody paid for a note; `nil` where time has not come that far.
    ///
    /// - Parameters:
    ///   - isForged: signed by another key than the wallet's, and far too large.
    ///   - option: the answer of a zap poll that is paid for.
    private mutating func receipt(
        for note: Event, from sender: Int, isForged: Bool = false, option: Int? = nil
    ) -> Event? {
        let moment = note.createdAt + .seconds(30 + Int64(dice.wait(mean: 9_000)))
        guard moment <= now else { return nil }
        let sats = isForged ? 5_000_000 : Int64(dice.pick([21, 21, 21, 100, 100, 210, 500, 1000, 2100], or: 21))
        let words = dice.pick(["", "", "", "⚡", "for the kettle", "well said", "thank you!", "more of this"], or: "")
        var tags: [Tag] = [
            ["relays", "wss://sats.example"], ["amount", String(sats * 1000)], ["p", note.pubkey.hex],
            ["e", note.id.hex],
        ]
        if let option { tags.append(["poll_option", String(option)]) }
        let request = Event(
            signing: EventDraft(kind: ZapRequest.kind, tags: tags, content: words, createdAt: moment),
            with: people[sender].keyholder.key, using: &dice)
        let draft = InvoiceDraft(
            millisatoshis: sats * 1000, createdAt: moment, paymentHash: dice.bytes(32), paymentSecret: dice.bytes(32),
            purpose: .hash(Array(SHA256.hash(data: request.json))))
        guard let read = try? ZapRequest(request),
            let invoice = wallet.key.withBytes({ try? draft.signed(by: SigningKey(secret: $0)) })
        else { return nil }
        let receipt = ZapReceipt.draft(for: read, invoice: invoice, paidAt: moment + .seconds(Int64(dice.whole(1...6))))
        guard isForged else { return Event(signing: receipt, with: wallet.key, using: &dice) }
        return Event(signing: receipt, with: people[sender].keyholder.key, using: &dice)
    }
}

extension Dice {
    /// So many bytes, which need not be secret.
    fileprivate mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
