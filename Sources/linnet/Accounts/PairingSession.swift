import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import ViewModels
import WebSocketNIO

/// Pairs with a signer elsewhere for one command, and tells on standard error how it stands.
struct PairingSession {
    let keystore: any Keystore
    let network: NetworkOptions

    /// Pairs by a signer's token.
    func run(token text: String, name: String, passphrase: String) async throws -> PublicKey {
        let token: BunkerURI
        do { token = try BunkerURI(text) } catch { throw CommandFailure(error.sentence) }
        return try await run(token, relays: [], name: name, passphrase: passphrase)
    }

    /// Prints an invitation and waits for the signer that takes it.
    func run(invitingOver relays: [RelayURL], name: String, passphrase: String) async throws -> PublicKey {
        let fallback = try network.configuration().routing.fallback.prefix(3)
        return try await run(nil, relays: relays.isEmpty ? Array(fallback) : relays, name: name, passphrase: passphrase)
    }

    private func run(_ token: BunkerURI?, relays: [RelayURL], name: String, passphrase: String) async throws
        -> PublicKey
    {
        let attempt = SignerAttempt(
            token: token, client: .generate(), invitingOver: relays,
            transport: NamedRelaysTransport(try WebSocketTransport()) { _ in false })
        if case .invitation(let invitation) = attempt.attempt.way {
            Output.error(invitation.text + "\n")
            TerminalCode.show(invitation.text)
        }
        let pairing = try await withThrowingTaskGroup(of: RemotePairing?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await attempt.run() }
            group.addTask {
                for await state in attempt.attempt.states() { Self.show(state, isInvitation: token == nil) }
                return nil
            }
            while let pairing = try await group.next() {
                if let pairing { return pairing }
            }
            throw CancellationError()
        }
        return try await keystore.add(pairing, client: attempt.client, name: name, passphrase: passphrase).key
    }

    private static func show(_ state: RemoteSignerState, isInvitation: Bool) {
        let step = PairingProgress.Step(state)
        Output.error(step.sentence(isInvitation: isInvitation) + "\n")
        if case .approval(let page) = step { Output.error(page + "\n") }
    }
}
