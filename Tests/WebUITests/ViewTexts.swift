import Foundation

/// The source of every view of the web face, by the name of its file.
func viewTexts() throws -> [(name: String, text: String)] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/WebUI")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
        ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
    }
}
