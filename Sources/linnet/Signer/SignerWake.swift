import ArgumentParser
import Foundation

/// `linnet signer --wake`: hands over to the small program beside this one, before anything of this one is loaded.
enum SignerWake {
    /// Becomes `linnet-wake` when that is what was asked for; returns when it was not.
    static func handOver(_ arguments: [String]) {
        guard arguments.count >= 3, arguments[1] == "signer", arguments[2] == "--wake" else { return }
        let options: DataDirectory.Options
        do { options = try DataDirectory.Options.parse(Array(arguments.dropFirst(3))) } catch {
            Output.error("linnet: signer --wake takes --data DIRECTORY and nothing else.\n")
            exit(2)
        }
        let words = [program, "--data", options.directory().path]
        let argv = unsafe words.map { unsafe strdup($0) } + [nil]
        unsafe execv(program, argv)
        Output.error("linnet: \(program) is not there: build it with make build.\n")
        exit(1)
    }

    /// The small program.
    static var program: String { OwnProgram.beside("linnet-wake") }
}
