import Foundation
import NostrSigner

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
        try write(text(url), in: folder, now)
    }

    /// Writes a page that posts an answer to the app that asked (NIP-155, "Large Payloads").
    ///
    /// - Returns: where it is, as `file://…`.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    static func write(posting answer: PostedAnswer, in folder: String, now: Date = Date()) throws -> String {
        let fields = answer.fields.map {
            "<input type=\"hidden\" name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\">"
        }
        let page = """
            <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Linnet</title>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
            form-action \(escaped(answer.origin))">
            <form method="post" action="\(escaped(answer.address))">\(fields.joined())
            <p><button>Take the answer to \(escaped(answer.origin))</button></p></form>
            <script>document.forms[0].submit()</script>

            """
        return try write(page, in: folder, now)
    }

    private static func write(_ text: String, in folder: String, _ now: Date) throws -> String {
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
        try page.write(Array(text.utf8))
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
        let escaped = escaped(url)
        return """
            <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(escaped)"><title>Linnet</title>
            <p><a href="\(escaped)">Go on</a></p>

            """
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"", "'": out += "&#\(scalar.value);"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
