import ArgumentParser
import Foundation

/// `linnet signer install-handler`: lets the desktop give links to Linnet.
struct SignerInstallHandlerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install-handler", abstract: "Let links of Nostr on this desktop open Linnet.",
        discussion: """
            Writes \(DesktopHandler.Links.signer.name), for nostrsigner: and linnet-signer: links, and \
            \(DesktopHandler.Links.pages.name), for nostr:, bunker:, nostrconnect: and whistle: links, among your \
            applications and makes them the ones for these; lightning: links, too, where no wallet has them. On macOS it \
            makes an application of yours that does the same. Only for you, not for other people of this machine; \
            --uninstall takes it back. Every link leads to a page that shows something or asks; none does anything by \
            itself.
            """)

    @Flag(help: "Take it back.") var uninstall = false
    @Flag(help: "Only links by which apps ask your signer.") var signerOnly = false
    @Flag(help: "Links go to the home that runs with --demo.") var demo = false
    @Flag(help: "Print what would be installed instead of installing it.") var print = false
    @OptionGroup var data: DataDirectory.Options

    func run() async throws {
        #if os(macOS)
            let handler = MacLinkApplication(
                folder: Self.home + "/Applications", signing: try command("sign-url"),
                opening: signerOnly ? nil : try command("open"))
            if print { return Output.text(handler.script) }
            if uninstall { try handler.uninstall() } else { try await handler.install() }
        #else
            for handler in try handlers() {
                if print {
                    Output.text(handler.text)
                } else if uninstall {
                    try await handler.uninstall(choices: Self.choices)
                } else {
                    try await handler.install()
                }
            }
            if print { return }
        #endif
        let names = signerOnly ? "nostrsigner:" : "nostrsigner:, nostr:, bunker:, nostrconnect: and whistle:"
        Output.error(uninstall ? "\(names) links no longer open Linnet.\n" : "\(names) links open Linnet now.\n")
    }

    private func handlers() throws -> [DesktopHandler] {
        let folder = Self.applications
        let signer = DesktopHandler(links: .signer, folder: folder, command: try command("sign-url"))
        return signerOnly
            ? [signer] : [signer, DesktopHandler(links: .pages, folder: folder, command: try command("open"))]
    }

    private func command(_ verb: String) throws -> [String] {
        guard let program = Bundle.main.executablePath else {
            throw CommandFailure("Where this program lies is not known.")
        }
        return [program, verb] + (demo ? ["--demo"] : []) + ["--data", data.directory().path]
    }

    private static var home: String { EnvironmentVariables.value("HOME") ?? NSHomeDirectory() }
    private static var applications: String {
        (EnvironmentVariables.value("XDG_DATA_HOME") ?? home + "/.local/share") + "/applications"
    }
    private static var choices: String {
        (EnvironmentVariables.value("XDG_CONFIG_HOME") ?? home + "/.config") + "/mimeapps.list"
    }
}
