import AsyncPrimitives
import Crypto
import Foundation
import NostrCore
import NostrNIPs
import Synchronization

/// How near mining on all cores comes to what SHA-256 from a midstate allows.
///
/// Both sides hash the same number of blocks per attempt: a note of the usual length, of which all that stands before
/// the nonce is hashed once.
let work = Area(name: "work") { setting in
    var random = Draws(state: setting.seed)
    let author = SecretKey.generate(using: &random).publicKey
    let draft = EventDraft(
        kind: 1, tags: [["t", "linnet"]], content: "Mining this note costs a few blocks of SHA-256 for each attempt.",
        createdAt: Timestamp(seconds: 1_700_000_000))
    let templates = (17...19).map { BareTemplate(draft, author: author, digits: $0) }
    guard let template = templates.min(by: { $0.blocks < $1.blocks }) else { return [] }
    var best: [String: Measurement] = [:]
    for round in 0..<5 {
        let bare = await Measurement.once(
            "sha256-midstate", unit: "hashes/s", what: "hasher copied, \(template.blocks) blocks, one core",
            count: 1_000_000, { template.hash(1_000_000) })
        let bareByProcessor = await Measurement.perProcessor(
            "sha256-midstate-cpu", unit: "hashes/CPU s", what: "the same by processor time", count: 1_000_000,
            { template.hash(1_000_000) })
        let mined = await measureMining(draft, author, start: UInt64(round) << 32)
        for measurement in [bare, bareByProcessor] + mined {
            best[measurement.name] = Measurement.better(best[measurement.name], measurement)
        }
    }
    return best.values.sorted { $0.name > $1.name }
}

/// How far mining was at some moment.
private struct Mark {
    let at: ContinuousClock.Instant
    let processorTime: Double
    let hashes: Double
}

/// Mines for about three seconds towards a target nobody reaches, and counts what was tried.
private func measureMining(_ draft: EventDraft, _ author: PublicKey, start: UInt64) async -> [Measurement] {
    let time = ContinuousClock()
    let marks = Mutex<(first: Mark, last: Mark)?>(nil)
    let mining = Task {
        try await ProofOfWork.mine(
            draft, author: author, bits: ProofOfWork.mostBits, start: start,
            progress: { progress in
                let mark = Mark(
                    at: time.now, processorTime: Double(clock()) / Double(CLOCKS_PER_SEC),
                    hashes: Double(progress.hashes))
                marks.withLock { $0 = ($0?.first ?? mark, mark) }
            })
    }
    // Ends early only when the whole run is cancelled.
    try? await time.sleep(for: .seconds(3))
    let cancelled = time.now
    mining.cancel()
    _ = await mining.result
    let stop = String(format: "%.1f", cancelled.duration(to: time.now) / .milliseconds(1))
    guard let (from, to) = marks.withLock({ $0 }), from.at < to.at else { return [] }
    let hashes = to.hashes - from.hashes
    return [
        Measurement(
            name: "mine", value: hashes / (from.at.duration(to: to.at) / .seconds(1)), unit: "hashes/s",
            what: "all cores; stopped \(stop) ms after it was told to"),
        Measurement(
            name: "mine-cpu", value: hashes / (to.processorTime - from.processorTime), unit: "hashes/CPU s",
            what: "the same by processor time"),
    ]
}

/// A hasher after everything before the digits that change, and the bytes from there on.
private struct BareTemplate {
    let midstate: SHA256
    let open: [UInt8]

    /// Blocks hashed per attempt, with SHA-256's own nine bytes at the end.
    let blocks: Int

    /// Takes a nonce of so many digits, of which the last four are open.
    init(_ draft: EventDraft, author: PublicKey, digits: Int) {
        let target = String(ProofOfWork.mostBits)
        let nonce = "1" + String(repeating: "0", count: digits - 1)
        let whole = canonicalJSON(
            pubkey: author, createdAt: draft.createdAt, kind: draft.kind,
            tags: draft.tags + [["nonce", nonce, target]],
            content: draft.content)
        let marker = Array("\(nonce)\",\"\(target)\"]],".utf8)
        let place = whole.indices.first { whole[$0...].starts(with: marker) } ?? 0
        let split = place + digits - 4
        var hasher = SHA256()
        hasher.update(data: whole.prefix(split))
        midstate = hasher
        open = Array(whole.dropFirst(split))
        blocks = (split % 64 + open.count + 9 + 63) / 64
    }

    func hash(_ count: Int) {
        var found = 0
        open.withUnsafeBytes { bytes in
            for _ in 0..<count {
                var hasher = midstate
                hasher.update(bufferPointer: bytes)
                if hasher.finalize().first(where: { _ in true }) == 0 { found += 1 }
            }
        }
        precondition(found == 0 || found == count)
    }
}
