public import NostrCore
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension ProofOfWork {
    /// The most bits that can be asked for: at ten million attempts a second about 80 days.
    public static let mostBits = 46

    /// Looks for a nonce, on all cores, that gives a draft's id enough leading zero bits.
    ///
    /// The lowest nonce from `start` on wins, whatever the number of workers, so the same question has the same
    /// answer; only a `clock` that moves changes that. Runs on threads of less urgency than those of pages and steps
    /// aside after every slice of work, a few milliseconds, so the rest of the program stays quick. Source: NIP-13.
    ///
    /// - Parameters:
    ///   - draft: what is to be published; nonce tags it has are replaced, and the new one comes last.
    ///   - author: who will sign it; for a gift wrap the one-time key.
    ///   - bits: leading zero bits; 0 or less gives the draft back as it is.
    ///   - start: where to begin among the nonces; any number will do.
    ///   - workers: how many to use; `nil` for one on each core.
    ///   - clock: tells the moment, so that `created_at` moves along as NIP-13 recommends; `nil` leaves it alone.
    ///   - progress: hears how far it is, once per 2^18 blocks hashed (some ten times a second), from any thread.
    /// - Returns: the draft with its `nonce` tag, and with its moment when a clock was given.
    /// - Throws: ``MiningError``; a cancelled task stops within a slice.
    @concurrent
    public static func mine(
        _ draft: EventDraft, author: PublicKey, bits: Int, start: UInt64 = 0, workers: Int? = nil,
        clock: (@Sendable () -> Timestamp)? = nil, progress: (@Sendable (MiningProgress) -> Void)? = nil
    ) async throws(MiningError) -> EventDraft {
        guard bits > 0 else { return draft }
        guard bits <= mostBits else { throw .tooManyBits(most: mostBits) }
        var plain = draft
        plain.tags.removeAll { $0.name == "nonce" }
        let seam = MiningSeam(plain, author: author, bits: bits, start: start, clock: clock, progress: progress)
        await withDiscardingTaskGroup { group in
            for _ in 0..<max(1, workers ?? coreCount) {
                group.addTask(executorPreference: BackgroundThreads.behindPages) { await seam.work() }
            }
        }
        if let mined = seam.mined { return mined }
        throw Task.isCancelled ? .cancelled : .exhausted
    }

    /// How many hashes it takes on average to reach a difficulty.
    public static func expectedHashes(bits: Int) -> Double {
        (0..<max(0, min(bits, 256))).reduce(1) { power, _ in power * 2 }
    }

    private static var coreCount: Int {
        sysconf(Int32(_SC_NPROCESSORS_ONLN))
    }
}

/// How far mining has come.
///
/// Mining has no memory: however long it has gone on, the time still to be expected is the same. So there is no
/// share done, only what was done and what is to be expected.
public struct MiningProgress: Hashable, Sendable {
    /// How many nonces were tried.
    public let hashes: UInt64
    /// How many it takes on average from any moment on.
    public let expected: Double

    /// Work done so far, and what the difficulty costs on average.
    public init(hashes: UInt64, expected: Double) {
        self.hashes = hashes
        self.expected = expected
    }

    /// Hashes per second, for a time that has passed since the start; 0 when none has.
    public func rate(after elapsed: Duration) -> Double {
        let seconds = elapsed / .seconds(1)
        return seconds > 0 ? Double(hashes) / seconds : 0
    }

    /// How much longer it takes on average; `nil` before there is a rate, and where it exceeds a century.
    public func remaining(after elapsed: Duration) -> Duration? {
        let rate = rate(after: elapsed)
        guard rate > 0, expected / rate < 3e9 else { return nil }
        return .seconds(expected / rate)
    }
}

/// Why nothing was mined.
public enum MiningError: Error, Hashable, Sendable {
    /// The task was cancelled.
    case cancelled
    /// More bits than anybody can reach.
    case tooManyBits(most: Int)
    /// All nonces were tried; as likely as never.
    case exhausted
}

/// What the workers share: which chunks of nonces are taken, and the lowest one with a solution.
private final class MiningSeam: Sendable {
    private struct State {
        var nextChunk: UInt64 = 0
        var bestChunk = UInt64.max
        var mined: EventDraft?
        var hashes: UInt64 = 0
        var blocks: UInt64 = 0
    }

    /// After so many blocks a worker looks up: about three milliseconds on one core.
    private static let blocksPerSlice = 1 << 14
    /// After so many blocks of all workers progress is told.
    private static let blocksPerReport: UInt64 = 1 << 18

    private let draft: EventDraft
    private let author: PublicKey
    private let bits: Int
    private let start: UInt64
    private let clock: (@Sendable () -> Timestamp)?
    private let progress: (@Sendable (MiningProgress) -> Void)?
    private let state = Mutex(State())

    init(
        _ draft: EventDraft, author: PublicKey, bits: Int, start: UInt64, clock: (@Sendable () -> Timestamp)?,
        progress: (@Sendable (MiningProgress) -> Void)?
    ) {
        self.draft = draft
        self.author = author
        self.bits = bits
        self.start = start
        self.clock = clock
        self.progress = progress
    }

    var mined: EventDraft? { state.withLock { $0.mined } }

    /// Takes chunk after chunk until a solution is found, none are left, or the task is cancelled.
    func work() async {
        var current = draft
        if let clock { current.createdAt = clock() }
        var template = MiningTemplate(current, author: author, bits: bits)
        while let taken = takeChunk(of: template.chunkCount) {
            if let clock, clock() != current.createdAt {
                current.createdAt = clock()
                template = MiningTemplate(current, author: author, bits: bits)
            }
            let chunk = (start % template.chunkCount + taken) % template.chunkCount
            let midstate = template.midstate(ofChunk: chunk)
            let slice = max(1, Self.blocksPerSlice / template.blocksPerHash)
            var low = 0
            while low < MiningTemplate.chunkSize, isWorthwhile(taken) {
                let end = min(low + slice, MiningTemplate.chunkSize)
                let found = template.firstSolution(after: midstate, in: low..<end)
                note(hashes: (found ?? end - 1) - low + 1, blocksEach: template.blocksPerHash)
                if let found {
                    keep(template.solved(chunk: chunk, low: found), of: taken)
                    break
                }
                low = end
                await Task.yield()
            }
        }
    }

    /// The next chunk, unless an earlier one already has a solution.
    private func takeChunk(of count: UInt64) -> UInt64? {
        guard !Task.isCancelled else { return nil }
        return state.withLock { state in
            guard state.nextChunk < count, state.nextChunk < state.bestChunk else { return nil }
            defer { state.nextChunk += 1 }
            return state.nextChunk
        }
    }

    private func isWorthwhile(_ taken: UInt64) -> Bool {
        !Task.isCancelled && state.withLock { taken < $0.bestChunk }
    }

    private func keep(_ draft: EventDraft, of taken: UInt64) {
        state.withLock { state in
            guard taken < state.bestChunk else { return }
            state.bestChunk = taken
            state.mined = draft
        }
    }

    private func note(hashes: Int, blocksEach: Int) {
        let due: UInt64? = state.withLock { state in
            let reported = state.blocks / Self.blocksPerReport
            state.hashes += UInt64(hashes)
            state.blocks += UInt64(hashes * blocksEach)
            return state.blocks / Self.blocksPerReport > reported ? state.hashes : nil
        }
        if let due, let progress {
            progress(MiningProgress(hashes: due, expected: ProofOfWork.expectedHashes(bits: bits)))
        }
    }
}
