import Foundation
import Logging
import NostrStore
import ViewModels

/// Keeps what holds for the whole program in the program's own records.
struct SettingsRecords: SettingsKeeping {
    let records: any RecordStore
    /// What holds before anything was chosen.
    var usual = Settings()
    let log: Logger

    private static let table = "settings", key = "face"

    func settings() async -> Settings {
        do {
            return try await kept()
        } catch {
            log.warning("the settings could not be read; the defaults hold")
            return usual
        }
    }

    func kept() async throws -> Settings {
        do {
            guard let kept = try await records.value(Self.key, in: Self.table) else { return usual }
            return try JSONDecoder().decode(Settings.self, from: Data(kept))
        } catch let error as StoreError {
            throw Trouble(error.sentence)
        } catch is DecodingError {
            throw Trouble(SettingsWords.unreadable)
        }
    }

    func keep(_ settings: Settings) async throws {
        do {
            try await records.put([UInt8](JSONEncoder().encode(settings)), for: Self.key, in: Self.table)
        } catch let error as StoreError {
            throw Trouble(error.sentence)
        }
    }
}
