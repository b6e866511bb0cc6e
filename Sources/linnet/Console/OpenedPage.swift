import Foundation

/// A page on disk that leads a browser on to an address, readable by its owner only.
///
/// Every program of the machine can read a program's arguments; so those hold the path of the page, and the address
/// with what it lets in stands in the page.
enum OpenedPage {
    /// How long a page is needed: until the browser has read it.
    ///
    /// A token or an answer to an app stands in it.
    private static let lifetime: TimeInterval = 60

    /// Writes a page that leads to an address of `http` or `https`, and removes those that are over.
    ///
    /// - Returns: where it is, as `file://…`.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    static func write(leadingTo url: String, in folder: String, now: Date = Date()) throws -> String {
        let files = FileManager.default
        let path = "\(folder)/\(UUID().uuidString).html"
        do {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try removeOld(in: folder, now)
        } catch {
            throw CommandFailure("Cannot use \(folder): check that you may write there.")
        }
        let page = try NewFile(path)
        try page.write(Array(text(url).utf8))
        try page.finish()
        return URL(fileURLWithPath: path).absoluteString
    }

    /// Removes the pages that no browser needs any more.
    static func removeOld(in folder: String, _ now: Date = Date()) throws {
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: folder) {
            let path = "\(folder)/\(name)"
            // One that another command has just removed is gone, as it should be.
            guard let made = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date else { continue }
            if now.timeIntervalSince(made) > lifetime { try? files.removeItem(atPath: path) }
        }
    }

    private static func text(_ url: String) -> String {
        let escaped = url.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"", "'": "&#\(scalar.value);"
            default: String(scalar)
            }
        }.joined()
        return """
            <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(escaped)"><title>Linnet</title>
            <p><a href="\(escaped)">Go on</a></p>

            """
    }
}
