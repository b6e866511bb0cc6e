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

    static func key(_ text: String) throws -> PublicKey {
        if Secrets.isSecret(text) {
            throw CommandFailure("That is a secret key; linnet key public gives its public key.")
        }
        guard let pointer = ProfilePointer(pasted: text) else {
            throw CommandFailure("'\(text)' is no public key: give 64 hex characters, npub or nprofile.")
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
        default: throw CommandFailure("'\(text)' is no event id: give 64 hex characters, note or nevent.")
        }
    }

    static func relay(_ text: String) throws -> RelayURL {
        do {
            return try RelayURL(text)
        } catch {
            throw CommandFailure("'\(text)' is no relay: give an address that begins with wss:// or ws://.")
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
