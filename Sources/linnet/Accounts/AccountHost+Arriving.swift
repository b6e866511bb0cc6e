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
        if !name.isEmpty {
            // The profile is news to the network; the person need not wait for it.
            arrive.yield { [log] in
                do { _ = try await account.updateProfile(["name": name]) } catch {
                    log.notice("the new profile was not published; edit the profile to try again")
                }
            }
        }
        return account
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
        if text.hasPrefix("nsec1") || text.hasPrefix("ncryptsec1") {
            throw Trouble("That is a secret key. To read along, use the public one: it begins with npub1.")
        }
        guard let pointer = ProfilePointer(pasted: text) else {
            throw Trouble("This is no public key: it should begin with npub1 or nprofile1, or be 64 hex digits.")
        }
        return pointer.key
    }
}
