import Foundation
import NostrCore
import NostrNIPs
import ViewModels

/// Reads what a person gives for a key, an id or a relay.
enum Reading {
    /// Whether a path leads to a directory, which opens like a file and then cannot be read.
    static func isDirectory(_ path: String) -> Bool {
        // Of what is not there, opening says so.
        let values = try? URL(filePath: path).resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey])
        return values?.isDirectory == true
    }

    /// Whether writing failed since there is no more space.
    static func isDiskFull(_ error: any Error) -> Bool {
        let error = error as NSError
        if error.domain == NSCocoaErrorDomain, error.code == CocoaError.fileWriteOutOfSpace.rawValue { return true }
        guard let below = error.userInfo[NSUnderlyingErrorKey] as? NSError else {
            return error.domain == NSPOSIXErrorDomain && error.code == Int(ENOSPC)
        }
        return isDiskFull(below)
    }

    /// Opens a file that is read from the beginning, with a plain sentence where that cannot be.
    ///
    /// - Parameter wanted: what kind of file it should be, such as "a file of events".
    static func open(_ path: String, _ wanted: String) throws -> FileHandle {
        guard !isDirectory(path) else { throw CommandFailure("\(path) is a directory: give \(wanted).") }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            let why = FileManager.default.fileExists(atPath: path) ? "you may not read it" : "there is no such file"
            throw CommandFailure("\(path) cannot be read: \(why).")
        }
        return handle
    }

    static func key(_ text: String) throws -> PublicKey {
        if Secrets.isSecret(text) {
            throw CommandFailure("That is a secret key; linnet key public gives its public key.")
        }
        guard let pointer = ProfilePointer(pasted: text) else {
            throw CommandFailure("\(Shown.text(text)) is not a public key: give 64 hex characters, npub or nprofile.")
        }
        return pointer.key
    }

    static func eventID(_ text: String) throws -> EventID {
        if Secrets.isSecret(text) { throw CommandFailure("That is a secret key, not the id of an event.") }
        // Text that is neither hex nor a code gets the sentence below.
        if let id = try? EventID(hex: text.lowercased()) { return id }
        switch try? NostrEntity(text.lowercased().hasPrefix("nostr:") ? String(text.dropFirst(6)) : text) {
        case .note(let id): return id
        case .nevent(let pointer): return pointer.id
        default: throw CommandFailure("\(Shown.text(text)) is not an event id: give 64 hex characters, note or nevent.")
        }
    }

    static func relay(_ text: String) throws -> RelayURL {
        do {
            return try RelayURL(text)
        } catch {
            throw CommandFailure(
                "\(Shown.text(text)) is not a relay address: give one that begins with wss:// or ws://.")
        }
    }
}

extension NostrEntity {
    /// The code, or a plain sentence why there is none.
    func text() throws -> String {
        do {
            return try encoded()
        } catch {
            throw CommandFailure(error.sentence)
        }
    }
}
