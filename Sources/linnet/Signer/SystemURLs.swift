import Foundation
import NostrSigner

/// Opens URLs as the desktop does: `xdg-open`, on macOS `open`.
///
/// Every program of the machine can read a program's arguments. So an address of the web is handed over in a file that
/// only its owner can read, with whatever token or answer is in it. An app's own scheme is not: its system hands the
/// whole address to the app as an argument anyway.
struct SystemURLs: URLOpening {
    /// The program that opens them.
    let opener: String
    /// Where pages rest that lead a browser on.
    let folder: String

    /// Opens with a program of the caller's choice.
    init(opener: String, folder: String) {
        (self.opener, self.folder) = (opener, folder)
    }

    /// Opens with the program that `LINNET_OPENER` names, else with the system's.
    init(_ directory: DataDirectory) {
        folder = directory.opened
        #if os(macOS)
            let standard = "open"
        #else
            let standard = "xdg-open"
        #endif
        opener = EnvironmentVariables.value("LINNET_OPENER") ?? standard
    }

    func open(_ url: String) async throws {
        // One that goes on, as where the browser was not running yet, has opened it.
        let isOfWeb = ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
        let handed = isOfWeb ? try OpenedPage.write(leadingTo: url, in: folder) : url
        guard try await SystemProgram.run([opener, handed]) ?? 0 == 0 else {
            throw CommandFailure("Nothing on this system opens \(url.prefix { $0 != ":" }): links.")
        }
    }

    func canOpen(_ url: String) async -> Bool {
        #if os(macOS)
            return true
        #else
            let type = "x-scheme-handler/\(url.prefix { $0 != ":" })"
            // Where xdg-utils is missing nothing can be opened either.
            let status = try? await SystemProgram.run(
                ["sh", "-c", "test -n \"$(xdg-mime query default \"$1\")\"", "sh", type])
            return status == 0
        #endif
    }
}
