internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

// What a keystore promises of accounts whose key is elsewhere.
extension KeystoreContract {
    private static let alice = TestPerson.alice.publicKey

    private static func pairing(client: TestPerson = .carol, at relay: String = "wss://one.example") throws
        -> RemotePairing
    {
        RemotePairing(
            signer: TestPerson.bob.publicKey, user: alice, client: client.publicKey, relays: [try RelayURL(relay)],
            named: [try RelayURL("wss://one.example")])
    }

    @discardableResult
    private static func pair(_ store: any Keystore, client: TestPerson = .carol) async throws -> KeystoreAccount {
        try await store.add(
            try pairing(client: client), client: LocalSigner(client.secretKey), name: "alice", passphrase: "battery")
    }

    static let elsewhere: [Rule] = [
        Rule("gives a pairing back with its key, and never as the person's") { store, _ in
            let kept = try await pair(store)
            try demand(kept.hasKey, false)
            try demand(kept.canSign, true)
            try demand(kept.isRemote, true)
            try demand(try await store.accounts(), [kept])
            let found = try await store.pairing(of: alice, passphrase: "battery")
            try demand(found.pairing, try pairing())
            try demand(found.client.publicKey, TestPerson.carol.publicKey)
            try await demandFailure(.readOnlyAccount) { _ = try await store.unlock(alice, passphrase: "battery") }
            try await demandFailure(.readOnlyAccount) { _ = try await store.export(alice) }
        },
        Rule("opens no pairing for a wrong passphrase where it asks for one, and changes it for the right one") {
            store, _ in
            guard try await pair(store).asksForPassphrase else { return }
            try await demandFailure(.wrongPassphrase) { _ = try await store.pairing(of: alice, passphrase: "x") }
            try await store.changePassphrase(of: alice, from: "battery", to: "staple")
            try await demandFailure(.wrongPassphrase) { _ = try await store.pairing(of: alice, passphrase: "battery") }
            try demand(
                try await store.pairing(of: alice, passphrase: "staple").client.publicKey, TestPerson.carol.publicKey)
        },
        Rule(
            "follows a signer to other relays, which the person has not named for that, and replaces a pairing by a newer one"
        ) { store, _ in
            try await pair(store)
            try await store.move(alice, to: [try RelayURL("wss://two.example")])
            let moved = try await store.pairing(of: alice, passphrase: "battery").pairing
            try demand(moved, try pairing(at: "wss://two.example"))
            try await pair(store, client: .dave)
            try demand(
                try await store.pairing(of: alice, passphrase: "battery").client.publicKey, TestPerson.dave.publicKey)
            try demand(try await store.accounts().count, 1)
        },
        Rule("a pairing takes the place of reading, the person's own key that of a pairing, and nothing that of a key")
        {
            store, _ in
            _ = try await store.addReadOnly(alice, name: "watching")
            try await pair(store)
            try await demandFailure(.alreadyThere) { _ = try await store.addReadOnly(alice, name: "") }
            let own = try await store.add(
                LocalSigner(TestPerson.alice.secretKey), name: "own", passphrase: "correct horse", handling: .secure)
            try demand(try await store.accounts(), [own])
            try demand(own.hasKey, true)
            try await demandFailure(.notPaired) { _ = try await store.pairing(of: alice, passphrase: "battery") }
            try await demandFailure(.alreadyThere) { try await pair(store) }
            try await demandFailure(.alreadyThere) { _ = try await store.addBrowser(alice, name: "") }
            try demand(try await store.unlock(alice, passphrase: "correct horse").publicKey, alice)
        },
        Rule("keeps a person whose key is in a browser, without any secret") { store, _ in
            let kept = try await store.addBrowser(alice, name: "alice")
            try demand(kept.kind, .browser)
            try demand(kept.canSign, true)
            try demand(kept.asksForPassphrase, false)
            try demand(try await store.accounts(), [kept])
            try await demandFailure(.readOnlyAccount) { _ = try await store.unlock(alice, passphrase: "") }
            try await demandFailure(.notPaired) { _ = try await store.pairing(of: alice, passphrase: "") }
            try await store.rename(alice, to: "Älice")
            try demand(try await store.accounts().map(\.kind), [.browser])
            try await pair(store)
            try demand(try await store.accounts().map(\.isRemote), [true])
        },
        Rule("forgets a pairing for good") { store, _ in
            try await pair(store)
            try await store.rename(alice, to: "renamed")
            try demand(try await store.accounts().map(\.isRemote), [true])
            try await store.remove(alice)
            try demand(try await store.accounts(), [])
            try await demandFailure(.notPaired) { _ = try await store.pairing(of: alice, passphrase: "battery") }
            try await demandFailure(.notPaired) { try await store.move(alice, to: []) }
        },
    ]
}
