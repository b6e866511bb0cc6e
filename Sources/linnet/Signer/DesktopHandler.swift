import Foundation

/// An entry by which a Linux desktop gives links of some schemes to this program.
///
/// Source: freedesktop.org, Desktop Entry Specification 1.5 and Association between MIME types and applications.
struct DesktopHandler {
    /// Which links an entry is for.
    struct Links: Sendable {
        /// The file's name, by which desktops know it.
        let name: String
        /// What people read.
        let title: String, comment: String
        /// The schemes whose links go to it.
        let schemes: [String]
        /// Schemes that it takes, too, and that another program keeps which has them: a wallet.
        var shared: [String] = []

        /// Links by which apps ask the signer: the scheme all signers share, and Linnet's own.
        static let signer = Links(
            name: "linnet-signer-links.desktop", title: "Linnet signer links",
            comment: "Asks you before an app gets your signature", schemes: ["nostrsigner", "linnet-signer"])
        /// Links that lead to a page: people and notes, signers, apps, circles, invoices, answers of another signer.
        static let pages = Links(
            name: "linnet-links.desktop", title: "Linnet links", comment: "Shows what links of Nostr lead to",
            schemes: [
                "nostr", "bunker", "nostrconnect", "whistle", "web+nostr", "web+bunker", "web+nostrconnect",
                "web+nostrsigner", "web+whistle", "web+lightning", "linnet-answer",
            ],
            shared: ["lightning"])
    }

    /// Which links.
    let links: Links
    /// Where entries of one person rest.
    let folder: String
    /// The program and what it is to be told, without the link.
    let command: [String]

    /// The entry's text.
    var text: String {
        """
        [Desktop Entry]
        Type=Application
        Name=\(links.title)
        Comment=\(links.comment)
        Exec=\(command.map(Self.quoted).joined(separator: " ")) %u
        Terminal=false
        NoDisplay=true
        StartupNotify=false
        MimeType=\((links.schemes + links.shared).map { "x-scheme-handler/\($0);" }.joined())

        """
    }

    /// Writes the entry and makes it the one that links go to, of shared schemes only where nothing else has them.
    func install() async throws {
        // Asked before the entry is there, and written down: desktops may choose any of two that nobody chose.
        for scheme in links.shared {
            try await choose(
                "sh", "-c", "now=$(xdg-mime query default \"$1\"); xdg-mime default \"${now:-$2}\" \"$1\"", "sh",
                "x-scheme-handler/\(scheme)", links.name)
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandFailure("Cannot write \(path): check that you may write there.")
        }
        for scheme in links.schemes {
            try await choose("xdg-mime", "default", links.name, "x-scheme-handler/\(scheme)")
        }
        await refresh()
    }

    /// Runs what writes down which program links go to.
    private func choose(_ command: String...) async throws {
        // A program that is missing and one that fails leave the same undone.
        guard let status = try? await SystemProgram.run(command), status == 0 else {
            throw CommandFailure("The desktop could not be told about it: is xdg-mime (package xdg-utils) installed?")
        }
    }

    /// Takes the entry away, and the mention of it among the person's choices.
    func uninstall(choices: String) async throws {
        // Whether it worked is looked at next.
        try? FileManager.default.removeItem(atPath: path)
        guard !FileManager.default.fileExists(atPath: path) else { throw CommandFailure("Cannot remove \(path).") }
        // No choices were kept, so none has to go.
        if let text = try? String(contentsOfFile: choices, encoding: .utf8), text.contains(links.name) {
            let kept = text.split(separator: "\n", omittingEmptySubsequences: false).compactMap {
                Self.without(links.name, $0)
            }
            do {
                try Data(kept.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: choices), options: .atomic)
            } catch {
                throw CommandFailure("Cannot change \(choices): take \(links.name) out of it yourself.")
            }
        }
        await refresh()
    }

    /// A line of the person's choices without an entry; `nil` when nothing is left of it.
    static func without(_ name: String, _ line: Substring) -> String? {
        guard line.hasPrefix("x-scheme-handler/"), line.contains(name) else { return String(line) }
        let parts = line.split(separator: "=", maxSplits: 1)
        let others = (parts.count > 1 ? parts[1] : "").split(separator: ";").filter { $0 != name }
        return others.isEmpty ? nil : parts[0] + "=" + others.joined(separator: ";") + ";"
    }

    private var path: String { folder + "/" + links.name }

    private func refresh() async {
        // Desktops without this program read the folder themselves.
        _ = try? await SystemProgram.run(["update-desktop-database", folder])
    }

    /// An argument as `Exec` wants it.
    static func quoted(_ argument: String) -> String {
        let plain = argument.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/-_.,:=@+".utf8.contains(byte)
        }
        if plain && !argument.isEmpty { return argument }
        var out = ""
        for letter in argument {
            switch letter {
            // Once for the quotes, and once more for strings in such files.
            case "\"", "`", "$": out += "\\\\" + String(letter)
            case "\\": out += "\\\\\\\\"
            case "%": out += "%%"
            case "\n": out += "\\n"
            default: out.append(letter)
            }
        }
        return "\"\(out)\""
    }
}
