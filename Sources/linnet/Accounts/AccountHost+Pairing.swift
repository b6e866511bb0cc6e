import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

// Pairing with a signer elsewhere, and what a face asks about those in use.
extension AccountHost: SigningElsewhere {
    /// More tries than a person makes at once.
    private static let mostAttempts = 8

    func pair(token text: String, passphrase: String) async throws -> String {
        let token: BunkerURI
        do { token = try BunkerURI(text) } catch { throw Trouble(error.sentence) }
        return try begin(token, passphrase: passphrase)
    }

    func invite(passphrase: String) async throws -> String {
        try begin(nil, passphrase: passphrase)
    }

    private func begin(_ token: BunkerURI?, passphrase: String) throws -> String {
        if attempts.count >= Self.mostAttempts {
            attempts = attempts.filter { $0.value.outcome == nil }
            guard attempts.count < Self.mostAttempts else {
                throw Trouble(AccountsWords.tooManyPairings)
            }
        }
        let relays = Array(factory.configuration.routing.fallback.prefix(3))
        let trial = SignerAttempt(
            token: token, client: .generate(), invitingOver: relays, transport: factory.transport)
        let id = RemoteSigner.requestID()
        let work = StoppableWork { await self.run(trial, id, passphrase: passphrase) }
        attempts[id] = PairingAtWork(trial: trial, work: work)
        arrive.yield { await work.run() }
        return id
    }

    private func run(_ trial: SignerAttempt, _ id: String, passphrase: String) async {
        do {
            let pairing = try await trial.run()
            _ = try await spoken {
                try await keystore.add(pairing, client: trial.client, name: "", passphrase: passphrase)
            }
            // An older pairing of this account gives way to the new one.
            await lock(pairing.user)
            _ = try await unlockElsewhere(pairing.user, passphrase: passphrase)
            attempts[id]?.outcome = .paired(pairing.user)
        } catch {
            attempts[id]?.outcome = .failed(Trouble(error).sentence)
        }
    }

    func pairing(_ id: String) async -> PairingProgress? {
        guard let attempt = attempts[id] else { return nil }
        let invitation: String? =
            if case .invitation(let invitation) = attempt.trial.attempt.way { invitation.text } else { nil }
        if let outcome = attempt.outcome { return PairingProgress(step: outcome, invitation: invitation) }
        return PairingProgress(step: PairingProgress.Step(attempt.trial.attempt.state), invitation: invitation)
    }

    func giveUp(_ id: String) async {
        await attempts.removeValue(forKey: id)?.work.stop()
    }

    func openBrowser(_ key: PublicKey) async throws -> any Account {
        _ = try await spoken { try await keystore.addBrowser(key, name: "") }
        return try await openInBrowser(key)
    }

    func standing(of key: PublicKey) async -> SignerStanding? {
        if let browser = browsers[key] { return browser.isPageOpen ? .pageOpen : .noPage }
        return elsewhere[key].map { SignerStanding($0.signer.state) }
    }

    func browserRequests(of key: PublicKey, page: String) async -> [ExtensionRequest] {
        await (browsers[key]?.requests(for: page) ?? []).map {
            ExtensionRequest(id: $0.id, method: $0.method.rawValue, parameters: $0.parameters)
        }
    }

    func browserLeft(_ page: String, of key: PublicKey) async {
        browsers[key]?.leave(page)
    }

    func browserAnswer(_ id: String, _ reply: BrowserReply, of key: PublicKey) async {
        let answer: BrowserAnswer =
            switch reply {
            case .result(let text): .result(text)
            case .failure(let words): .failure(words)
            case .cannot: .cannot
            }
        browsers[key]?.answer(id, answer)
    }
}

/// A try to pair, and what became of it.
struct PairingAtWork: Sendable {
    let trial: SignerAttempt
    let work: StoppableWork
    var outcome: PairingProgress.Step?
}
