import Foundation
import NostrSigner

/// Opens URLs as the desktop does: `xdg-open`, on macOS `open`.
///
/// Every program of the machine can read a program's arguments, and so the answer while it is handed over; the pages,
/// which the browser leaves by itself, do not need this.
struct SystemURLs: URLOpening {
    /// The program that opens them, with what stands before the URL.
    let opener: [String]

    /// Takes `LINNET_OPENER`, else the system's program.
    init() {
        #if os(macOS)
            let standard = "open"
        #else
            let standard = "xdg-open"
        #endif
        opener = [EnvironmentVariables.value("LINNET_OPENER") ?? standard]
    }

    func open(_ url: String) async throws {
        guard try run(opener + [url]) == 0 else {
            throw CommandFailure("Nothing on this system opens \(url.prefix { $0 != ":" }): links.")
        }
    }

    func canOpen(_ url: String) async -> Bool {
        #if os(macOS)
            return true
        #else
            let scheme = String(url.prefix { $0 != ":" })
            // Without xdg-utils nothing can be opened either.
            return (try? DesktopHandler.output(["xdg-mime", "query", "default", "x-scheme-handler/\(scheme)"]))?.isEmpty == false
        #endif
    }

    private func run(_ command: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        // What the opener says is for its own developers; what this command prints is the answer alone.
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
