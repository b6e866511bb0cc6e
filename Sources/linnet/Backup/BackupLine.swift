import Foundation
import NostrCore
import NostrSigner

/// One line of what a backup holds; each is one JSON object.
///
/// An account's line comes first, then its key, words and records, then its events; then the next account.
enum BackupLine: Equatable {
    /// An account begins.
    case account(Account)
    /// Its key, encrypted (NIP-49).
    case key(ncryptsec: String)
    /// The words the key was made from, sealed with the key.
    case words(Data)
    /// One of its records, as it rests.
    case record(Entry)
    /// An event of its own, of any version.
    case event(UnverifiedEvent)
    /// A setting of the program.
    case setting(Entry)

    struct Account: Codable, Equatable {
        let npub: String
        let name: String
        let isReadOnly: Bool
        /// Whether its key is encrypted with the backup's passphrase, having had none of its own.
        let hasBackupPassphrase: Bool
    }

    struct Entry: Codable, Equatable {
        let table: String
        let key: String
        let value: Data
    }

    /// The longest line taken from a backup, in bytes.
    static let longest = 32 << 20

    private struct Form: Codable {
        var account: Account?
        var key: String?
        var words: Data?
        var record: Entry?
        var setting: Entry?
    }

    private static let eventStart = Array(#"{"event":"#.utf8)

    /// The line, with its line feed.
    func bytes() throws -> [UInt8] {
        var form = Form()
        switch self {
        case .account(let account): form.account = account
        case .key(let ncryptsec): form.key = ncryptsec
        case .words(let sealed): form.words = sealed
        case .record(let entry): form.record = entry
        case .setting(let entry): form.setting = entry
        // Events are most of a backup, and their JSON is written already.
        case .event(let event): return Self.eventStart + event.json + Array("}\n".utf8)
        }
        return [UInt8](try JSONEncoder().encode(form)) + [0x0A]
    }

    /// Reads a line; `nil` for a kind of line this program does not know.
    ///
    /// - Throws: ``/NostrSigner/BackupError/damaged`` for what is no such line at all.
    init?(_ line: [UInt8]) throws(BackupError) {
        if line.starts(with: Self.eventStart), line.last == UInt8(ascii: "}") {
            let json = Array(line[Self.eventStart.count..<line.count - 1])
            do { self = .event(try UnverifiedEvent(json: json)) } catch { throw .damaged }
            return
        }
        let form: Form
        do { form = try JSONDecoder().decode(Form.self, from: Data(line)) } catch { throw .damaged }
        if let account = form.account {
            self = .account(account)
        } else if let key = form.key {
            self = .key(ncryptsec: key)
        } else if let words = form.words {
            self = .words(words)
        } else if let record = form.record {
            self = .record(record)
        } else if let setting = form.setting {
            self = .setting(setting)
        } else {
            return nil
        }
    }
}
