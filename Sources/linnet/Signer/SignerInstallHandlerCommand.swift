import ArgumentParser
import Foundation

/// `linnet signer install-handler`: lets the desktop give signer links to Linnet.
struct SignerInstallHandlerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install-handler", abstract: "Let nostrsigner: links of this desktop open Linnet.",
        discussion: """
            Writes \(DesktopHandler.name) among your applications and makes it the one for nostrsigner: and \
            linnet-signer: links. Only for you, not for other people of this machine; --uninstall takes it back.
            """)

    @Flag(help: "Take it back.") var uninstall = false
    @Flag(help: "Links go to the home that runs with --demo.") var demo = false
    @Flag(help: "Print the entry instead of installing it.") var print = false
    @OptionGroup var data: DataDirectory.Options

    func run() async throws {
        #if os(macOS)
            throw CommandFailure("On macOS only an application bundle can take links; use `linnet sign-url` there.")
        #else
            let handler = DesktopHandler(folder: Self.applications, command: try command())
            if print { return Output.text(handler.text) }
            if uninstall {
                try await handler.uninstall(choices: Self.choices)
                return Output.error("nostrsigner: links no longer open Linnet.\n")
            }
            try await handler.install()
            Output.error("nostrsigner: links open Linnet now.\n")
        #endif
    }

    private func command() throws -> [String] {
        guard let program = Bundle.main.executablePath else {
            throw CommandFailure("Where this program lies is not known.")
        }
        return [program, "sign-url"] + (demo ? ["--demo"] : []) + ["--data", data.directory().path]
    }

    private static var home: String { EnvironmentVariables.value("HOME") ?? NSHomeDirectory() }
    private static var applications: String {
        (EnvironmentVariables.value("XDG_DATA_HOME") ?? home + "/.local/share") + "/applications"
    }
    private static var choices: String {
        (EnvironmentVariables.value("XDG_CONFIG_HOME") ?? home + "/.config") + "/mimeapps.list"
    }
}
