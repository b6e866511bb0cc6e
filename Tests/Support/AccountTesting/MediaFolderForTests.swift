package import Foundation
package import NostrClient

/// A folder for an account's files, without media servers and without anything that prepares pictures.
package struct MediaFolderForTests: Sendable {
    package let folder: URL

    /// A folder of its own.
    package init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("media-\(UUID().uuidString)")
    }

    /// What an account is given.
    package var access: MediaAccess {
        MediaAccess(transfer: NoServers(), preparing: NothingPrepared(), folder: folder)
    }

    /// The files of chats that wait for a media server.
    package var unsent: [Data] {
        get throws {
            let place = folder.appendingPathComponent("unsent", isDirectory: true)
            guard let found = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil) else {
                return []
            }
            return try found.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }.map { try Data(contentsOf: $0) }
        }
    }

    /// Deletes it.
    package func remove() {
        // What is left goes with the system's folder for temporary files.
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Nobody answers.
private struct NoServers: BlobTransferring {
    func send(_ request: BlobRequest, progress: @escaping @Sendable (Int64) -> Void) async throws -> BlobAnswer {
        throw ServerRefusal(.unreachable)
    }

    func fetch(
        _ address: String, headers: [String: String], into file: URL, longest: Int64, deadline: Duration
    ) async throws -> FetchedBlob {
        throw ServerRefusal(.unreachable)
    }
}

/// No picture is opened.
private struct NothingPrepared: MediaPreparing {
    func prepare(_ file: URL, as type: String, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        throw .unreadable
    }
}
