import Foundation
import NostrClient
import NostrNIPs

/// Leaves files as they are: only their size and hash are found out.
struct UnpreparedMedia: MediaPreparing {
    private static let piece = 256 << 10
    /// The largest file that is taken.
    static let most: Int64 = 512 << 20

    /// Copies the file, so that what is prepared can be deleted in any case.
    func prepare(_ file: URL, as type: String, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        let copy = folder.appendingPathComponent("linnet-\(UUID().uuidString)")
        do {
            let handle = try FileHandle(forReadingFrom: file)
            // What cannot be closed was read all the same.
            defer { try? handle.close() }
            var (hasher, size) = (BlobHasher(), Int64(0))
            while let bytes = try handle.read(upToCount: Self.piece), !bytes.isEmpty {
                hasher.update(bytes)
                size += Int64(bytes.count)
            }
            guard size <= Self.most else { throw MediaProblem.tooLarge(most: Self.most) }
            do { try FileManager.default.copyItem(at: file, to: copy) } catch { throw MediaProblem.notWritten }
            return PreparedMedia(file: copy, type: type, size: size, sha256: hasher.finish().hex)
        } catch let problem as MediaProblem {
            throw problem
        } catch {
            throw .unreadable
        }
    }
}
