import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import SQLiteStorage
import ViewModels

/// Keeps what the person of an account chose in that account's own records.
struct AccountSettings: PersonalSettingsKeeping {
    let host: AccountHost
    /// What an account begins with.
    let program: any SettingsKeeping
    let log: Logger

    fileprivate static let table = "settings", key = "face"

    func settings(of account: PublicKey) async -> PersonalSettings {
        do {
            guard let kept = try await host.records(of: account)?.value(Self.key, in: Self.table) else {
                return await program.settings().first
            }
            return try JSONDecoder().decode(PersonalSettings.self, from: Data(kept))
        } catch {
            log.warning("the settings of an account could not be read; the defaults hold")
            // Whoever chose that nothing is loaded from elsewhere must not be seen there because of that.
            return PersonalSettings(remoteMedia: .never)
        }
    }

    func keep(_ settings: PersonalSettings, of account: PublicKey) async throws {
        guard let records = await host.records(of: account) else {
            throw Trouble(AccountsWords.notHere, canRetry: false)
        }
        do {
            try await records.put([UInt8](JSONEncoder().encode(settings)), for: Self.key, in: Self.table)
        } catch let error as StoreError {
            throw Trouble(error.sentence)
        }
    }
}

extension AccountHost {
    /// What an account at work keeps for itself; `nil` for one that is not.
    fileprivate func records(of key: PublicKey) -> (any RecordStore)? { atWork[key]?.records }
}

extension AccountHost {
    private struct KeptWithPages: Decodable {
        /// A server's address; empty for none.
        var mediaServer: String?
    }

    /// Takes over the media server that was chosen for want of a list, perhaps none, where an earlier version kept it:
    /// with what pages look like, which says nothing to what sends files.
    func takeOverMediaServer(of opened: AccountAtWork) async {
        do {
            guard let kept = try await opened.records.value(AccountSettings.key, in: AccountSettings.table),
                let address = try JSONDecoder().decode(KeptWithPages.self, from: Data(kept)).mediaServer,
                let files = opened.account.files
            else { return }
            try await files.keepUsual(MediaServer(address).map { [$0] } ?? [])
            // Written anew it is there no more.
            let settings = try JSONDecoder().decode(PersonalSettings.self, from: Data(kept))
            try await opened.records.put(
                [UInt8](JSONEncoder().encode(settings)), for: AccountSettings.key, in: AccountSettings.table)
        } catch {
            log.warning("the media server that was chosen for an account could not be taken over")
        }
    }
}
