internal import Crypto
internal import NostrCore

/// An event whose nonce is still open: everything before the nonce is hashed already.
///
/// The nonce tag is the last tag, so that as much as possible stands before it. The content comes after the tags in
/// the canonical form, so it has to be hashed anew each time: an attempt costs one SHA-256 block for every 64 bytes
/// from the nonce's last digits to the end, and a long text makes work dearer. Source: NIP-01, NIP-13.
struct MiningTemplate: Sendable {
    /// How many nonces share their high digits, and so one midstate.
    static let chunkSize = 10_000
    /// How many digits of the nonce change within a chunk.
    private static let lowDigits = 4
    /// The most digits a nonce has; so it fits 64 bits.
    private static let mostDigits = 19

    /// What is published, with the nonce tag still to come.
    private let draft: EventDraft
    /// The leading zero bits wanted.
    private let bits: Int
    /// How many digits the nonce has; the first is not zero.
    private let digits: Int
    private let prefix: SHA256
    private let tail: [UInt8]

    /// How many SHA-256 blocks one attempt costs.
    let blocksPerHash: Int

    /// Takes a draft without a nonce.
    ///
    /// - Parameter bits: from 1 to ``ProofOfWork/mostBits``.
    init(_ draft: EventDraft, author: PublicKey, bits: Int) {
        self.draft = draft
        self.bits = bits
        let whole = Self.canonical(draft, author: author, nonce: "", bits: bits)
        var empty = draft
        empty.content = ""
        let content = whole.count - Self.canonical(empty, author: author, nonce: "", bits: bits).count + 2
        // After the nonce: `","`, the target, `"]],`, the content with its quotes, `]`.
        tail = Array(whole.suffix(3 + String(bits).utf8.count + 4 + content + 1))
        let head = whole.dropLast(tail.count)
        var hasher = SHA256()
        hasher.update(data: head)
        prefix = hasher
        (digits, blocksPerHash) = Self.cheapestWidth(head: head.count, tail: tail.count, bits: bits)
    }

    private static func canonical(_ draft: EventDraft, author: PublicKey, nonce: String, bits: Int) -> [UInt8] {
        canonicalJSON(
            pubkey: author, createdAt: draft.createdAt, kind: draft.kind, tags: tags(draft.tags, nonce, bits),
            content: draft.content)
    }

    private static func tags(_ tags: [Tag], _ nonce: String, _ bits: Int) -> [Tag] {
        tags + [["nonce", nonce, String(bits)]]
    }

    /// Enough digits that 500 times the expected number of attempts fit; of these widths the one that costs the
    /// fewest blocks, because the high digits may fall into the block before.
    private static func cheapestWidth(head: Int, tail: Int, bits: Int) -> (digits: Int, blocks: Int) {
        let fewest = min(mostDigits, max(8, 3 + (bits * 302 + 999) / 1000))
        let widths = (fewest...mostDigits).map { width in
            // Nine bytes are SHA-256's own end: a one bit and the length.
            let open = (head + width - lowDigits) % 64 + lowDigits + tail + 9
            return (digits: width, blocks: (open + 63) / 64)
        }
        return widths.min { ($0.blocks, $0.digits) < ($1.blocks, $1.digits) } ?? (mostDigits, 1)
    }

    /// How many chunks there are.
    var chunkCount: UInt64 {
        9 * (0..<digits - 1 - Self.lowDigits).reduce(1) { power, _ in power * 10 }
    }

    /// The hasher after everything up to a chunk's common digits.
    func midstate(ofChunk chunk: UInt64) -> SHA256 {
        var hasher = prefix
        hasher.update(data: Array(String(chunk + chunkCount / 9).utf8))
        return hasher
    }

    /// Tries the nonces of a stretch of a chunk.
    ///
    /// - Parameters:
    ///   - midstate: of the chunk.
    ///   - stretch: the values of the low digits, below ``chunkSize``.
    /// - Returns: the first one that does enough work.
    func firstSolution(after midstate: SHA256, in stretch: Range<Int>) -> Int? {
        var open = Self.digits(of: stretch.lowerBound) + tail
        return unsafe open.withUnsafeMutableBytes { bytes in
            for low in stretch {
                var hasher = midstate
                unsafe hasher.update(bufferPointer: UnsafeRawBufferPointer(bytes))
                let zeros = unsafe hasher.finalize().withUnsafeBytes { digest in
                    UInt64(bigEndian: unsafe digest.loadUnaligned(as: UInt64.self)).leadingZeroBitCount
                }
                if zeros >= bits { return low }
                // One more, in decimal.
                var place = Self.lowDigits - 1
                while place >= 0, unsafe bytes[place] == UInt8(ascii: "9") {
                    unsafe bytes[place] = UInt8(ascii: "0")
                    place -= 1
                }
                if place >= 0 { unsafe bytes[place] += 1 }
            }
            return nil
        }
    }

    private static func digits(of low: Int) -> [UInt8] {
        [low / 1000, low / 100, low / 10, low].map { UInt8(ascii: "0") + UInt8($0 % 10) }
    }

    /// The draft with its nonce.
    func solved(chunk: UInt64, low: Int) -> EventDraft {
        let nonce = String(chunk + chunkCount / 9) + String(decoding: Self.digits(of: low), as: UTF8.self)
        var mined = draft
        mined.tags = Self.tags(draft.tags, nonce, bits)
        return mined
    }
}
