import Foundation

/// Where the templates lie in the source tree.
var templateFolder: URL? {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/WebUI/Templates")
}

/// The texts of all templates.
func templateTexts(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "mustache" }.map { try String(contentsOf: $0, encoding: .utf8) }
}
