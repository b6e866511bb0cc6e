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
        // Leads through what a new account needs to be found and to find others, and looks for it meanwhile.
        try await account.firstRun?.begin(name: name)
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
