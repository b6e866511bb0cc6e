import CSecp256k1Raw
import NostrCore

/// How near to libsecp256k1 itself the way from bytes to a checked event comes.
let verification = Area(name: "verification") { setting in
    let corpus = Corpus(count: setting.events, seed: setting.seed)
    let events = try corpus.events()
    let sample = events.prefix(20_000).map(RawCheck.init)
    guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else { return [] }
    defer { secp256k1_context_destroy(context) }
    let checkSample = { for check in sample { precondition(check.isValid(context)) } }
    let checkLines = {
        let results = await verify(lines: corpus.lines)
        precondition(results.allSatisfy { if case .success = $0 { true } else { false } })
    }
    // Turn by turn, so that a slower moment of the machine meets both sides of the ratio.
    var best: [String: Measurement] = [:]
    for _ in 0..<3 {
        let round = [
            await Measurement.once(
                "raw-verify", unit: "checks/s", what: "libsecp256k1 alone, one core", count: sample.count, checkSample),
            await Measurement.once(
                "verify-lines", what: "bytes to checked events, all cores", count: events.count, checkLines),
            await Measurement.perProcessor(
                "raw-verify-cpu", unit: "checks/CPU s", what: "libsecp256k1 alone", count: sample.count, checkSample),
            await Measurement.perProcessor(
                "verify-lines-cpu", what: "bytes to checked events", count: events.count, checkLines),
        ]
        for measurement in round { best[measurement.name] = Measurement.better(best[measurement.name], measurement) }
    }
    return best.values.sorted { $0.name < $1.name }
}

/// What libsecp256k1 needs of one event.
private struct RawCheck {
    let signature: [UInt8]
    let message: [UInt8]
    let publicKey: [UInt8]

    init(_ event: UnverifiedEvent) {
        signature = event.signature.bytes.array
        message = event.id.bytes.array
        publicKey = event.pubkey.bytes.array
    }

    func isValid(_ context: OpaquePointer) -> Bool {
        var point = secp256k1_xonly_pubkey()
        return secp256k1_xonly_pubkey_parse(context, &point, publicKey) == 1
            && secp256k1_schnorrsig_verify(context, signature, message, 32, &point) == 1
    }
}
