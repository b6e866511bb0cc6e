import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// Answers one link where nothing runs that could: opens the account, asks in this terminal, obeys what is always allowed.
///
/// No relay is asked for anything, so what waits there for other apps waits on.
struct LinkAlone: Sendable {
    let host: AccountHost
    let keystore: any Keystore
    let directory: DataDirectory
    /// What a person types; `nil` where nobody is there to ask.
    let typed: TypedLines?
    /// Shows a line to the person.
    let say: @Sendable (String) -> Void
    let passphrase: @Sendable () throws -> String

    /// The answer.
    ///
    /// - Throws: a ``CommandFailure`` when the person is needed and not there; then the app is told nothing.
    func answer(_ text: String) async throws -> LinkReply {
        let desk = SignerLinkHandler.serving(host, in: directory)
        var admission = await desk.admit(text)
        if case .chooses(let choice) = admission {
            admission = await desk.admit(choice, as: try await chosen(choice.accounts))
        }
        switch admission {
        case .settled(let outcome): return LinkReply(outcome)
        case .chooses: throw CommandFailure("No account was chosen.")
        case .asks(let request):
            try await unlock(request.account)
            return LinkReply(try await outcome(of: request, at: desk))
        }
    }

    private func chosen(_ accounts: [PublicKey]) async throws -> PublicKey {
        guard let typed else { return accounts[0] }
        let known = try await keystore.accounts()
        say("Whose public key does the app get?")
        for (number, key) in accounts.enumerated() {
            let name = known.first { $0.key == key }?.name ?? ""
            say("\(number + 1)  \(Self.visible(name)) \(key.npub)")
        }
        while true {
            say("A number, or nothing to leave it:")
            guard let line = await typed.next(), !line.allSatisfy(\.isWhitespace) else {
                throw CommandFailure("No account was chosen, so the app is told nothing.")
            }
            let number = Int(line.trimmingCharacters(in: .whitespaces)) ?? 0
            if accounts.indices.contains(number - 1) { return accounts[number - 1] }
        }
    }

    private func unlock(_ key: PublicKey) async throws {
        guard await host.isLocked(key), let kept = try await keystore.accounts().first(where: { $0.key == key }) else {
            return
        }
        _ = try await host.unlock(key, passphrase: kept.asksForPassphrase ? try passphrase() : "")
    }

    private func outcome(of request: LinkRequest, at desk: SignerLinkHandler) async throws -> LinkOutcome {
        try await withThrowingTaskGroup(of: LinkOutcome?.self) { group in
            group.addTask { await desk.answer(request) }
            group.addTask {
                try await ask(about: request)
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
    }

    /// Asks about a request once it waits; leaving it for later leaves the app without an answer.
    private func ask(about request: LinkRequest) async throws {
        let changes = await request.signer.changes()
        var waiting = try await Self.line(about: request)
        if waiting == nil {
            for await change in changes where change == .waiting {
                waiting = try await Self.line(about: request)
                if waiting != nil { break }
            }
        }
        // Answered without anybody: there is nothing to ask.
        guard let waiting else { return }
        guard let typed else {
            throw CommandFailure(
                "This needs your yes: run it in a terminal, or start linnet serve. The app is told nothing.")
        }
        let orders = SignerControl(signers: host, now: { .current })
        let passphrase = passphrase
        let prompt = RequestPrompt(say: say, passphrase: { try passphrase() }) { try await orders.perform($0, $1) }
        try await prompt.ask(about: waiting, request.event.hex, typed)
        guard try await Self.line(about: request) == nil else {
            throw CommandFailure("Left as it is: the app is told nothing.")
        }
    }

    private static func line(about request: LinkRequest) async throws -> JSONValue? {
        try await request.signer.waiting().first { $0.id == request.event }
            .map { SignerJSON.line($0, account: request.account) }
    }

    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
