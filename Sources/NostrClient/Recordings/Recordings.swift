internal import AsyncPrimitives
internal import Logging
internal import NostrCore
public import NostrNIPs
internal import Synchronization

/// Films and sounds of others by way of this machine: their servers see it and nothing of the browser.
///
/// Of an address only what lies there is remembered, for a while, under the address's hash; no byte of a recording is.
/// A class rather than an actor, since what it hands on goes straight to whoever asked.
public final class Recordings: RecordingPlaying {
    /// The largest recording of which the size is known.
    static let longest: Int64 = 4 << 30
    /// How much is handed on where it is not.
    static let longestUntold: Int64 = 512 << 20
    /// How many first bytes say what a file is.
    static let beginning = 512
    /// How many play at once.
    static let mostAtOnce = 16

    // The last who waits is answered after three looks at most.
    private static let mostLooks = 6, mostWaiting = 12
    private static let lookDeadline: Duration = .seconds(20)
    /// After which a player has to ask for the rest anew.
    private static let playDeadline: Duration = .seconds(1800)
    private static let memory: Duration = .seconds(600), absence: Duration = .seconds(60)
    /// How long an address is passed over that gave another file than was said.
    private static let mistrust: Duration = .seconds(86_400)
    private static let mostRemembered = 500
    /// How many addresses are passed over at most.
    static let mostMistrusted = 500

    private struct Finding {
        /// `nil` where there was none.
        let recording: Recording?
        let until: Timestamp
    }

    private let context: AccountContext
    private let findings = Mutex<[BlobHash: Finding]>([:])
    /// Until when addresses are passed over that gave another file than was said; apart from what is found, so that
    /// many others do not drive them out.
    private let mistrusted = Mutex<[BlobHash: Timestamp]>([:])
    /// Requests for one address wait for the first of them.
    private let gates = SerialGates<BlobHash>()
    private let looks = AsyncSemaphore(permits: Recordings.mostLooks, longestQueue: Recordings.mostWaiting)
    private let plays = AsyncSemaphore(permits: Recordings.mostAtOnce, longestQueue: 0)

    init(_ context: AccountContext) {
        self.context = context
    }

    public func recording(at address: String, as hash: BlobHash?) async throws -> Recording? {
        guard let hash else { return try await found(at: address) }
        if isMistrusted(Self.name(address, hash)) { return nil }
        var recording = try await found(at: address)
        recording?.hash = hash
        return recording
    }

    private func found(at address: String) async throws -> Recording? {
        guard let parts = context.media?.parts, address.utf8.count <= 4096 else { return nil }
        let hash = BlobHash(of: Array(address.utf8))
        if let found = remembered(hash) { return found.recording }
        return try await gates.run(hash) {
            // Whoever waits for a turn waits for it whatever comes; nobody is asked for a player that has gone.
            try Task.checkCancellation()
            // Somebody else looked meanwhile.
            if let found = remembered(hash) { return found.recording }
            do {
                let recording = try await looks.withPermit { try await look(address, parts) }
                remember(recording, hash)
                return recording
            } catch is AsyncSemaphore.Refusal {
                return nil
            }
        }
    }

    public func play(
        _ recording: Recording, _ part: Range<Int64>?, _ take: ([UInt8]) async throws -> Void
    ) async throws {
        guard let parts = context.media?.parts else { throw ServerRefusal(.notAllowed) }
        let wanted = part ?? recording.size.map { 0..<$0 }
        var left = wanted.map { $0.upperBound - $0.lowerBound } ?? Self.longestUntold
        guard left > 0 else { return }
        let isWhole = wanted.map { $0.lowerBound == 0 && $0.upperBound == recording.size } ?? true
        var tail = isWhole && recording.hash != nil ? HeldTail() : nil
        try await plays.withPermit {
            try await parts.fetch(
                recording.address, from: wanted?.lowerBound ?? 0, to: part.map { $0.upperBound - 1 },
                deadline: Self.playDeadline
            ) { answer, bytes in
                // A server that gives another file than it said is not believed a second time.
                guard answer.start == wanted?.lowerBound ?? 0, answer.size == recording.size else {
                    forget(recording)
                    throw ServerRefusal(.wrongAnswer)
                }
                let given = Array(bytes.prefix(Int(left)))
                left -= Int64(given.count)
                let ready = tail?.add(given) ?? given
                if !ready.isEmpty { try await take(ready) }
                return left > 0
            }
            switch (wanted, left) {
            case (nil, 0): throw ServerRefusal(.tooLarge)
            // Where its length is not said, its end is known only now.
            case (nil, _), (_, 0): break
            default: throw ServerRefusal(.brokenOff)
            }
            guard let tail else { return }
            try check(tail.hash, recording)
            if !tail.bytes.isEmpty { try await take(tail.bytes) }
        }
    }

    /// Looks whether all that came is the file it should be; an address that gave another is not asked again soon.
    private func check(_ came: BlobHash, _ recording: Recording) throws {
        guard let hash = recording.hash, came != hash else { return }
        context.log.info("what a server gave for a film or a sound is another file")
        mistrust(Self.name(recording.address, hash))
        throw ServerRefusal(.wrongHash)
    }

    /// What is remembered of a certain file at an address.
    private static func name(_ address: String, _ hash: BlobHash) -> BlobHash {
        BlobHash(of: Array("\(address)\n\(hash.hex)".utf8))
    }

    /// Reads the beginning of what lies at an address.
    private func look(_ address: String, _ parts: any PartFetching) async throws -> Recording? {
        var (head, told): ([UInt8], FetchedPart?) = ([], nil)
        do {
            try await parts.fetch(
                address, from: 0, to: Int64(Self.beginning - 1), deadline: Self.lookDeadline
            ) { answer, bytes in
                told = told ?? answer
                head += bytes.prefix(Self.beginning - head.count)
                return head.count < Self.beginning
            }
        } catch let refusal as ServerRefusal {
            try Task.checkCancellation()
            context.log.debug("a recording could not be fetched", metadata: ["why": "\(refusal.code)"])
            return nil
        }
        let sort = FileSort(of: head)
        guard sort.isRecording, let told, told.start == 0, told.size ?? 0 <= Self.longest else { return nil }
        return Recording(
            address: address, type: sort.type, size: told.size, hasParts: told.isPart && told.size != nil)
    }

    private func remembered(_ hash: BlobHash) -> Finding? {
        let now = context.time.now()
        return findings.withLock { findings in findings[hash].flatMap { $0.until > now ? $0 : nil } }
    }

    private func remember(_ recording: Recording?, _ hash: BlobHash) {
        let until = context.time.now() + (recording == nil ? Self.absence : Self.memory)
        findings.withLock { findings in
            if findings.count >= Self.mostRemembered { findings = [:] }
            findings[hash] = Finding(recording: recording, until: until)
        }
    }

    private func isMistrusted(_ name: BlobHash) -> Bool {
        let now = context.time.now()
        return mistrusted.withLock { mistrusted in mistrusted[name].map { $0 > now } ?? false }
    }

    /// Passes an address over for a while; of too many the oldest is forgotten.
    private func mistrust(_ name: BlobHash) {
        let until = context.time.now() + Self.mistrust
        mistrusted.withLock { mistrusted in
            mistrusted[name] = until
            guard mistrusted.count > Self.mostMistrusted else { return }
            if let oldest = mistrusted.min(by: { $0.value < $1.value })?.key { mistrusted[oldest] = nil }
        }
    }

    private func forget(_ recording: Recording) {
        let hash = BlobHash(of: Array(recording.address.utf8))
        findings.withLock { findings in findings[hash] = nil }
    }
}
