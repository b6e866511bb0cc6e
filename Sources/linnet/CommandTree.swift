import ArgumentParser
import NostrCore

/// The verbs of the command line, walked by their names.
enum CommandTree {
    /// The command that words lead to from another, such as `["key", "public"]`; `nil` when one of them leads nowhere.
    static func command(
        _ words: some Sequence<String>, below root: any ParsableCommand.Type = Linnet.self
    ) -> (any ParsableCommand.Type)? {
        var command = root
        for word in words {
            guard let next = child(word, of: command) else { return nil }
            command = next
        }
        return command
    }

    /// What is wrong with the verbs a person typed; `nil` when the parser is to judge.
    ///
    /// The parser shows the general help for `help` of something unknown, as if it were what was asked for, and repeats
    /// whatever it does not know, which may be a secret key.
    static func complaint(about arguments: [String]) -> String? {
        var words = arguments[...]
        let isHelp = words.first == "help"
        if isHelp { words = words.dropFirst() }
        var command: any ParsableCommand.Type = Linnet.self
        var path = "linnet"
        while let word = words.first, !word.hasPrefix("-"), isBranch(command) {
            if word == "help" { return nil }
            guard let next = child(word, of: command) else {
                // A verb with arguments of its own judges them itself.
                guard isHelp || takesOnlyVerbs(command) else { return nil }
                return "There is no command \(Shown.text(word)): \(path) --help lists those there are."
            }
            command = next
            path += " \(word)"
            words = words.dropFirst()
        }
        guard isHelp, let word = words.first, !word.hasPrefix("-"), word != "help" else { return nil }
        return "There is no command \(Shown.text(word)): \(path) --help lists those there are."
    }

    private static func child(_ word: String, of command: any ParsableCommand.Type) -> (any ParsableCommand.Type)? {
        command.configuration.subcommands.first {
            $0._commandName == word || $0.configuration.aliases.contains(word)
        }
    }

    private static func isBranch(_ command: any ParsableCommand.Type) -> Bool {
        !command.configuration.subcommands.isEmpty
    }

    private static func takesOnlyVerbs(_ command: any ParsableCommand.Type) -> Bool {
        command.configuration.defaultSubcommand == nil
    }
}
