import ArgumentParser

/// `linnet version`: one line.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

    func run() {
        print("linnet \(Version.text)")
    }
}
