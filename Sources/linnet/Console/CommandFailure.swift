import ArgumentParser
import NostrSigner
import ViewModels

/// Why a command did not do what it was asked: one plain sentence on standard error, exit status 1.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ sentence: String) {
        description = sentence
    }

    /// What to say to a secret in the argument list.
    static let secretArgument = CommandFailure(
        """
        A secret key never belongs on the command line, where every program of this machine and the shell's history can \
        read it; treat this one as known to others, and give secrets by prompt, --sec-file, NOSTR_SECRET_KEY or standard \
        input.
        """)
}

extension CommandFailure {
    /// The sentence of another failure, for a person.
    ///
    /// - Returns: an exit code as it is; it has spoken already.
    static func speaking(_ error: any Error) -> any Error {
        switch error {
        case is ExitCode, is CommandFailure, is ValidationError: error
        case let error as KeystoreError: CommandFailure(error.sentence)
        case let error as BackupError: CommandFailure(error.sentence)
        case let error as SigningServiceError: CommandFailure(error.sentence)
        case let error as any SpokenError: CommandFailure(error.sentence)
        default: CommandFailure(Trouble(error).sentence)
        }
    }
}
