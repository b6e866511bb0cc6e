import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import SQLiteStorage

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The signer of an account whose key the system's keyring has.
func openSigner(_ key: PublicKey, in directory: String) async -> LocalSigner {
    #if canImport(Security)
        let keyring = KeychainKeyring()
    #else
        let keyring = SecretServiceKeyring(deadline: .seconds(5))
    #endif
    let keystore = KeyringKeystore(keyring, directory: "\(directory)/keys", now: { .current })
    do { return try await keystore.unlock(key, passphrase: "") } catch {
        leave(1, "the key of this account does not open without a person: \(error)")
    }
}

/// The relays that an account blocks, as it left them when it last ran.
func blockedRelays(of key: PublicKey, in directory: String) async -> BlockedRelays {
    let path = "\(directory)/accounts/\(key.hex).sqlite"
    // An account that has never been opened here blocks nobody yet.
    guard unsafe access(path, F_OK) == 0 else { return [] }
    do { return try await BlockedRelayRecords(SQLiteRecordStore(path: path)).load() } catch {
        leave(1, "which relays this account blocks cannot be read: \(error)")
    }
}

/// Answers challenges while awake: relays of the request learn whose signer this is, which the
/// request's tag has told them already.
struct SignerRelays: RelayAuthenticator {
    let signer: LocalSigner

    func consent(for relay: RelayURL) async -> AuthenticationConsent { .allow }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        // A signer that cannot sign has nothing to say.
        try? await signer.sign(draft)
    }
}

extension Timestamp {
    /// Now, by the system's clock.
    static var current: Timestamp {
        Timestamp(seconds: Int64(time(nil)))
    }
}

/// The minute of the day where this machine is.
func minuteOfDay() -> Int {
    var moment = time(nil)
    var parts = unsafe tm()
    unsafe localtime_r(&moment, &parts)
    return unsafe Int(parts.tm_hour) * 60 + Int(parts.tm_min)
}
