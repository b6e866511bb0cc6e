import ArgumentParser
import Foundation
import NostrClient
import ViewModels

/// `linnet files prepare`: a copy without what tells where, when and by whom it was made.
struct PrepareFileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare", abstract: "Write a copy of a file that is fit to be published.",
        discussion: """
            Takes out what tells where, when, by what and by whom a picture, film or sound was made, turns pictures upright \
            and makes large ones smaller. The file itself stays as it is; nothing is sent. Prints a line of JSON.
            """)

    @Argument(help: "The picture, film or sound.", completion: .file()) var file: String
    @Option(
        help: ArgumentHelp(
            "Where the copy is written; without it, beside the file with -prepared in its name.", valueName: "file"))
    var output: String?
    @Option(help: ArgumentHelp("What the file is, where its bytes leave it open.", valueName: "type")) var type = ""

    func run() async throws {
        let source = URL(filePath: file)
        let prepared: PreparedMedia
        do throws(MediaProblem) {
            prepared = try await MediaProgram().prepare(source, as: type, in: FileManager.default.temporaryDirectory)
        } catch {
            throw CommandFailure(error.sentence)
        }
        let target = output.map { URL(filePath: $0) } ?? Self.neighbour(of: source, type: prepared.type)
        defer { try? FileManager.default.removeItem(at: prepared.file) }
        // Copied, not moved, since a temporary folder may lie on another disk; what is there already stays.
        do { try FileManager.default.copyItem(at: prepared.file, to: target) } catch {
            throw CommandFailure(
                FileManager.default.fileExists(atPath: target.path)
                    ? "\(Shown.text(target.path)) is there already." : "\(Shown.text(target.path)) cannot be written.")
        }
        try Output.json(
            Line(
                file: target.path, type: prepared.type, size: prepared.size, sha256: prepared.sha256,
                dim: prepared.width.flatMap { width in prepared.height.map { "\(width)x\($0)" } },
                blurhash: prepared.blurhash, thumbhash: prepared.thumbhash))
    }

    /// `holiday.heic` becomes `holiday-prepared.jpg`.
    static func neighbour(of file: URL, type: String) -> URL {
        let endings = ["image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"]
        let name = file.deletingPathExtension().lastPathComponent + "-prepared"
        let ending = endings[type] ?? file.pathExtension
        return file.deletingLastPathComponent().appending(path: ending.isEmpty ? name : "\(name).\(ending)")
    }

    private struct Line: Encodable {
        let file: String
        let type: String
        let size: Int64
        let sha256: String
        let dim: String?
        let blurhash: String?
        let thumbhash: String?
    }
}
