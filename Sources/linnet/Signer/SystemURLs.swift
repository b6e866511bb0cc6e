import Foundation
import NostrSigner

/// Opens URLs as the desktop does: `xdg-open`, on macOS `open`.
///
/// Every program of the machine can read a program's arguments, and so the answer while it is handed over; the pages,
/// which the browser leaves by itself, do not need this.
struct SystemURLs: URLOpening {
    /// The program that opens them.
    let opener: String

    /// Takes `LINNET_OPENER`, else the system's program.
    init() {
        #if os(macOS)
            let standard = "open"
        #else
            let standard = "xdg-open"
        #endif
        opener = EnvironmentVariables.value("LINNET_OPENER") ?? standard
    }

    func open(_ url: String) async throws {
        // One that goes on, as where the browser was not running yet, has opened it.
        guard try await SystemProgram.run([opener, url]) ?? 0 == 0 else {
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
