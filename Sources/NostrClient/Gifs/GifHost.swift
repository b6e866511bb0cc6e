internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs

/// GIFs of a host that is asked with a key, as screens need them; implemented by ``GifHost``.
public protocol GifHosting: Sendable {
    /// Whether there is a key; what it is leaves the vault only to ask the host.
    func hasKey() async throws -> Bool
    /// Keeps a key, sealed; `nil` forgets it.
    ///
    /// - Throws: ``GifHostProblem`` for what cannot be one.
    func setKey(_ key: String?) async throws
    /// GIFs that fit some words; without words those that many look at. None without a key.
    ///
    /// - Throws: ``GifHostProblem``.
    func search(_ text: String, at choice: GifHostChoice, limit: Int) async throws -> [Gif]
}

/// Asks a host of GIFs in the account's name.
///
/// The key rests in the vault alone, and every question goes from this machine, so that no page holds it.
public actor GifHost: UnlockedService, GifHosting {
    private static let address = SealedRecords.Address("gif-host", "key")
    /// Which host was asked with it first.
    private static let asked = SealedRecords.Address("gif-host", "asked")
    private static let deadline: Duration = .seconds(8)
    /// How long an answer counts, and how many are remembered.
    private static let freshness: Duration = .seconds(300)
    private static let mostAnswers = 20

    private struct Question: Hashable {
        var words: String
        var choice: GifHostChoice
        var limit: Int
    }

    private let unlocked: UnlockedContext
    private let gifs: Gifs
    private var answers: [Question: (gifs: [Gif], at: Timestamp)] = [:]

    init(_ unlocked: UnlockedContext, gifs: Gifs) {
        self.unlocked = unlocked
        self.gifs = gifs
    }

    /// Nothing is done before somebody asks.
    public func run() async {}

    /// Forgets what was answered; the key is read anew each time.
    public func wipe() { answers = [:] }

    public func hasKey() async throws -> Bool { try await unlocked.sealed.contains(Self.address) }

    public func setKey(_ key: String?) async throws {
        answers = [:]
        let forgets = unlocked.sealed.remove(Self.asked)
        guard let key else { return try await unlocked.sealed.apply([unlocked.sealed.remove(Self.address), forgets]) }
        let plain = key.filter { !$0.isWhitespace }
        guard (8...128).contains(plain.utf8.count),
            plain.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !plain.lowercased().hasPrefix("nsec1")
        else { throw GifHostProblem.noKey }
        try await unlocked.sealed.apply([unlocked.sealed.put(Array(plain.utf8), at: Self.address), forgets])
    }

    /// Holds that a host is the one that was asked with the key first: another one would learn it.
    private func hold(to choice: GifHostChoice) async throws {
        let address = Array(choice.address.utf8)
        if let known = try await unlocked.sealed.value(Self.asked) {
            guard known == address else { throw GifHostProblem.otherHost }
        } else {
            try await unlocked.sealed.apply([unlocked.sealed.put(address, at: Self.asked)])
        }
    }

    public func search(_ text: String, at choice: GifHostChoice, limit: Int) async throws -> [Gif] {
        guard let transfer = unlocked.account.media?.transfer, !choice.isEmpty,
            let key = try await unlocked.sealed.value(Self.address)
        else { return [] }
        try await hold(to: choice)
        let question = Question(words: GifQuestion(text).text, choice: choice, limit: limit)
        let now = unlocked.account.time.now()
        if let known = answers[question], known.at + Self.freshness > now, known.at <= now {
            gifs.offer(known.gifs)
            return known.gifs
        }
        guard
            let address = choice.request(
                question.words, key: String(decoding: key, as: UTF8.self), limit: limit)
        else { return [] }
        let request = BlobRequest(
            .get, address, longestAnswer: GifHostAnswer.longest, deadline: Self.deadline)
        let answer: BlobAnswer
        do {
            answer = try await withDeadline(
                Self.deadline + .seconds(1), on: unlocked.account.time.clock, throwing: GifHostProblem.unreachable
            ) {
                try await transfer.send(request) { _ in }
            }
        } catch is ServerRefusal {
            throw GifHostProblem.unreachable
        }
        let found = Array(try Self.gifs(in: answer).prefix(limit))
        if answers.count >= Self.mostAnswers { answers = [:] }
        answers[question] = (gifs: found, at: now)
        gifs.offer(found)
        return found
    }

    private static func gifs(in answer: BlobAnswer) throws(GifHostProblem) -> [Gif] {
        switch answer.status {
        case 200: return try GifHostAnswer(answer.body).gifs
        case 401, 403: throw .refusedKey
        case 429: throw .tooMany
        default: throw .unreachable
        }
    }
}
