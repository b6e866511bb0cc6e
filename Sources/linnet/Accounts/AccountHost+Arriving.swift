import AsyncPrimitives
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

// How accounts come to this machine.
extension AccountHost {
    func create(name: String, passphrase: String) async throws -> any Account {
        let signer = try await SecretIntake(keystore: keystore).generate(name: name, passphrase: passphrase)
        let account = try await unlocked(signer)
        // It is news to the network; the person need not wait for it.
        arrive.yield { [log, time] in await Self.introduce(account, as: name, time, log) }
        return account
    }

    /// Publishes where a new account writes and reads, without which nobody on other relays finds it, and a first
    /// profile.
    ///
    /// Relays that are slow to say that they have none must not cost the name: they are asked again for a while.
    private static func introduce(
        _ account: any Account, as name: String, _ time: Time<Timestamp>, _ log: Logger
    ) async {
        for pause in [2, 5, 15, 60, 300, 900] {
            do {
                _ = try await account.ownRelays.begin()
                if !name.isEmpty { _ = try await account.profile.update(["name": name]) }
                return
            } catch let error as AccountError where error.code == .newestUnknown {
                await time.pause(for: .seconds(pause))
                if Task.isCancelled { return }
            } catch { break }
        }
        log.notice(
            "the new account's relays and profile were not published; the relays page and the profile offer it again")
    }

    func importSecret(_ text: String, passphrase: String) async throws -> any Account {
        try await unlocked(
            try await SecretIntake(keystore: keystore).keep(text, name: "", passphrase: passphrase))
    }

    /// Makes a key from words, keeps both, and opens it.
    func importMnemonic(_ words: String, passphrase: String, name: String) async throws -> PublicKey {
        let signer = try await SecretIntake(keystore: keystore).keepWords(words, name: name, passphrase: passphrase)
        return try await unlocked(signer).publicKey
    }

    func openReadOnly(_ text: String) async throws -> any Account {
        let key = try Self.publicKey(text.trimmingCharacters(where: \.isWhitespace))
        if try await spoken({ try await keystore.accounts() }).contains(where: { $0.key == key }) {
            return try await open(key)
        }
        _ = try await spoken { try await keystore.addReadOnly(key, name: "") }
        return try await open(key)
    }

    private static func publicKey(_ text: String) throws -> PublicKey {
        let start = text.lowercased()
        if start.hasPrefix("nsec1") || start.hasPrefix("ncryptsec1") {
            throw Trouble(AccountsWords.secretNotPublic)
        }
        guard let pointer = ProfilePointer(pasted: text) else {
            throw Trouble(
                start.hasPrefix("npub1") || start.hasPrefix("nprofile1")
                    ? AccountsWords.mistypedPublicKey : AccountsWords.noPublicKey)
        }
        return pointer.key
    }
}
