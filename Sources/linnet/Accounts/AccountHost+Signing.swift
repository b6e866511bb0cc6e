import Logging
import NostrCore
import NostrSigner
import SQLiteStorage
import ViewModels

// Signing for other apps.
extension AccountHost: SignersAtWork {
    /// The signer of an account at work; `nil` for one that only reads or whose key is elsewhere.
    func signer(of key: PublicKey) async -> (any SigningService)? {
        atWork[key]?.signing?.service
    }

    /// Signs for the program itself, as its owner asked on a page.
    func sign(_ draft: EventDraft, by key: PublicKey) async throws -> Event {
        guard let signer = atWork[key]?.signer else { throw Trouble(AccountsWords.noKey, canRetry: false) }
        return try await signer.sign(draft)
    }

    /// All of them, in the order of their keys.
    func signersAtWork() async -> [any SigningService] {
        atWork.values.compactMap { $0.signing?.service }.sorted { $0.account.hex < $1.account.hex }
    }

    /// Puts the accounts to work that apps are paired with, so that no request finds nobody; their keys may be locked.
    func startSigners() async {
        guard let records = factory.signing?.records else { return }
        do {
            let here = Set(try await keystore.accounts().filter(\.hasKey).map(\.key))
            for account in try await records.accounts() where here.contains(account) {
                if try await !records.clients(of: account).isEmpty { _ = try await open(account) }
            }
            if let demo, factory.hasWorked(demo.signer.publicKey) { _ = try await openDemo() }
        } catch {
            log.error("not every signer could be started; open its account to start it")
        }
    }
}
