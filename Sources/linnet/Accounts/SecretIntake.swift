import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// Takes secrets in, in every form they come, and keeps them; each failure is a ``/ViewModels/Trouble`` without them.
struct SecretIntake: Sendable {
    let keystore: any Keystore

    /// Makes a key from new words and keeps both.
    func generate(words count: Int = 12, name: String, passphrase: String) async throws -> LocalSigner {
        var random = SystemRandomNumberGenerator()
        let mnemonic: Mnemonic
        do { mnemonic = try Mnemonic.generate(words: count, using: &random) } catch {
            throw Trouble(error.sentence, canRetry: false)
        }
        return try await keep(mnemonic, name: name, passphrase: passphrase, handling: .secure)
    }

    /// Keeps an `nsec`, 64 hex characters, an `ncryptsec` (opened with the same passphrase), or the words of NIP-06.
    func keep(_ text: String, name: String, passphrase: String) async throws -> LocalSigner {
        let secret = text.trimmingCharacters(where: \.isWhitespace)
        if secret.contains(where: \.isWhitespace) {
            return try await keepWords(secret, name: name, passphrase: passphrase)
        }
        if secret.lowercased().hasPrefix("ncryptsec1") {
            let encrypted: EncryptedSecretKey
            do { encrypted = try EncryptedSecretKey(secret) } catch {
                throw Trouble(AccountsWords.brokenEncryptedKey)
            }
            return try await spoken {
                let kept = try await keystore.add(encrypted, name: name, passphrase: passphrase)
                return try await keystore.unlock(kept.key, passphrase: passphrase)
            }
        }
        let signer = LocalSigner(try Self.secretKey(secret))
        _ = try await spoken { try await keystore.add(signer, name: name, passphrase: passphrase, handling: .unknown) }
        return signer
    }

    /// Keeps the key that words stand for, and the words.
    func keepWords(_ words: String, name: String, passphrase: String) async throws -> LocalSigner {
        let mnemonic: Mnemonic
        do { mnemonic = try Mnemonic(words) } catch { throw Trouble(error.sentence) }
        return try await keep(mnemonic, name: name, passphrase: passphrase, handling: .unknown)
    }

    private func keep(
        _ mnemonic: consuming Mnemonic, name: String, passphrase: String, handling: EncryptedSecretKey.Handling
    ) async throws -> LocalSigner {
        let words = mnemonic.phrase()
        let signer: LocalSigner
        do { signer = LocalSigner(try mnemonic.secretKey()) } catch { throw Trouble(error.sentence) }
        return try await spoken {
            let kept = try await keystore.add(signer, name: name, passphrase: passphrase, handling: handling)
            do { try await keystore.keepWords(words, of: signer) } catch {
                // Half of what was asked for is worse than nothing: the person would think the words are kept.
                try await keystore.remove(kept.key)
                throw error
            }
            return signer
        }
    }

    private static func secretKey(_ text: String) throws -> SecretKey {
        do { return try SecretKey.parse(pasted: text) } catch {
            if text.lowercased().hasPrefix("nsec1") { throw Trouble(AccountsWords.mistypedSecretKey) }
            let isHex = text.utf8.count == 64 && text.allSatisfy(\.isHexDigit)
            throw Trouble(isHex ? AccountsWords.keyOutOfRange : AccountsWords.noSecretKey)
        }
    }

    private func spoken<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as KeystoreError { throw Trouble(error.sentence) }
    }
}

extension String {
    /// The text without such characters at its ends.
    func trimmingCharacters(where isLeftOut: (Character) -> Bool) -> String {
        guard let start = firstIndex(where: { !isLeftOut($0) }), let end = lastIndex(where: { !isLeftOut($0) }) else {
            return ""
        }
        return String(self[start...end])
    }
}
