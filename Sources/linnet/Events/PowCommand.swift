import ArgumentParser
import Foundation
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet pow`: puts work into an event.
struct PowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pow", abstract: "Put work into an event (NIP-13).",
        discussion: """
            Reads a draft or an event as JSON from standard input, looks on all cores for a nonce that gives its id \
            enough leading zero bits, and prints it as one line of JSON: signed where there is a key, else with its id \
            for somebody else to sign. What the draft leaves out is kind 1, no tags, no text, and now. On a terminal \
            standard error shows how far it is.
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Leading zero bits, 1 to \(ProofOfWork.mostBits); one more takes twice as long.", valueName: "bits"))
    var difficulty: Int

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Who will sign it; without it the pubkey of the draft, or that of the key.", valueName: "key"))
    var pubkey: String?

    @Flag(help: "Leave created_at as it is; otherwise it moves along while the work goes on.") var keepTime = false

    @OptionGroup var secret: OptionalSecretOptions

    func validate() throws {
        guard (1...ProofOfWork.mostBits).contains(difficulty) else {
            throw ValidationError("Give a difficulty from 1 to \(ProofOfWork.mostBits).")
        }
    }

    func run() async throws {
        try Secrets.refuse(in: [pubkey ?? ""])
        let key = try secret.secretKey()
        let read = try LooseDraft(Array(StandardInput.text().utf8), now: .current)
        let author = try author(keyed: Self.publicKey(of: key), drafted: read.author)
        let meter = Terminal.isErrorOutput ? WorkMeter(bits: difficulty) : nil
        let mined = try await mine(read.draft, author: author, meter: meter)
        meter?.clear()
        switch key {
        case .some(let key):
            var random = SystemRandomNumberGenerator()
            Output.line(String(decoding: Event(signing: mined, with: key, using: &random).json, as: UTF8.self))
        case .none:
            Output.line(Rumor(mined, author: author).json)
        }
    }

    private func mine(_ draft: EventDraft, author: PublicKey, meter: WorkMeter?) async throws -> EventDraft {
        var clock: (@Sendable () -> Timestamp)?
        if !keepTime { clock = { .current } }
        var progress: (@Sendable (MiningProgress) -> Void)?
        if let meter { progress = { meter.show($0) } }
        do {
            return try await ProofOfWork.mine(
                draft, author: author, bits: difficulty, clock: clock, progress: progress)
        } catch {
            throw CommandFailure("No nonce was found.")
        }
    }

    private static func publicKey(of key: borrowing SecretKey?) -> PublicKey? {
        switch key {
        case .some(let key): key.publicKey
        case .none: nil
        }
    }

    private func author(keyed: PublicKey?, drafted: PublicKey?) throws -> PublicKey {
        let named = try pubkey.map(Reading.key)
        let given = [keyed, named, drafted].compactMap { $0 }
        guard let author = given.first else {
            throw CommandFailure(
                "Whose event is it? Give --pubkey, a pubkey in the draft, or a key by --sec-file or NOSTR_SECRET_KEY.")
        }
        guard given.allSatisfy({ $0 == author }) else {
            throw CommandFailure("The key, --pubkey and the pubkey of the draft are not one person's.")
        }
        return author
    }
}

/// Where the key comes from that signs, when there is one; standard input holds the draft.
struct OptionalSecretOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file that holds the secret key as nsec or hex; NOSTR_SECRET_KEY gives it too.", valueName: "file"))
    var secFile: String?

    // Caught only to be refused with a reason, and without being repeated in an error.
    @Option(help: .hidden) var sec: String?
    @Argument(help: .hidden) var arguments: [String] = []

    /// Reads the key; `nil` when none is given.
    ///
    /// - Throws: ``CommandFailure``, which never carries what was read.
    func secretKey() throws -> SecretKey? {
        guard sec == nil, arguments.isEmpty else { throw CommandFailure.secretArgument }
        guard
            let text = try secFile.map({ try SecretFile.read($0, alone: "the key") })
                ?? EnvironmentVariables.value("NOSTR_SECRET_KEY")
        else {
            return nil
        }
        return try SecretSource.key(in: text)
    }
}

/// Shows on one line of the terminal how far mining is.
private struct WorkMeter: Sendable {
    let bits: Int
    private let start = ContinuousClock.now

    init(bits: Int) {
        self.bits = bits
    }

    func show(_ progress: MiningProgress) {
        let elapsed = start.duration(to: .now)
        let rate = String(format: "%.1f", progress.rate(after: elapsed) / 1e6)
        let tried = String(format: "%.0f", Double(progress.hashes) / 1e6)
        let left = progress.remaining(after: elapsed).map { "about \(Self.words(for: $0)) more" } ?? "for very long"
        Output.error("\r\u{1B}[K\(bits) bits: \(tried) million tried, \(rate) million a second, \(left)")
    }

    func clear() {
        Output.error("\r\u{1B}[K")
    }

    private static func words(for duration: Duration) -> String {
        let seconds = Int((duration / .seconds(1)).rounded(.up))
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
