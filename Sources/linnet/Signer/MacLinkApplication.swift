import Foundation

/// The application by which macOS gives links to this program, since it gives them to application bundles alone.
///
/// A script that `osacompile` turns into a bundle; its `Info.plist` names the schemes, and Launch Services is told of it.
/// Source: Apple, "AppleScript Language Guide", `open location` handlers; "Information Property List", CFBundleURLTypes.
struct MacLinkApplication {
    /// Where applications of one person rest.
    let folder: String
    /// The program and what it is told about links to the signer, without the link.
    let signing: [String]
    /// The same for links that lead to a page; `nil` where those are not wanted.
    let opening: [String]?

    private var path: String { folder + "/Linnet Links.app" }

    /// The schemes it takes.
    var schemes: [String] {
        let pages = DesktopHandler.Links.pages
        return DesktopHandler.Links.signer.schemes + (opening == nil ? [] : pages.schemes + pages.shared)
    }

    /// The script: what comes goes to the command's standard input, so that a link of any length arrives.
    var script: String {
        let ours = DesktopHandler.Links.signer.schemes.map { "theURL starts with \"\($0):\"" }
            .joined(separator: " or ")
        let otherwise = opening.map { "\n        else\n            set theCommand to \"\(Self.quoted($0)) -\"" } ?? ""
        return """
            on open location theURL
                if \(ours) then
                    set theCommand to "\(Self.quoted(signing)) -"\(otherwise)
                end if
                do shell script "printf %s " & quoted form of theURL & " | " & theCommand & " > /dev/null 2>&1 &"
            end open location

            """
    }

    /// What `Info.plist` is told, one command of PlistBuddy each.
    var declarations: [String] {
        [
            "Add :CFBundleURLTypes array", "Add :CFBundleURLTypes:0 dict",
            "Add :CFBundleURLTypes:0:CFBundleURLName string Linnet",
            "Add :CFBundleURLTypes:0:CFBundleURLSchemes array", "Add :LSUIElement bool true",
        ]
            + schemes.map { "Add :CFBundleURLTypes:0:CFBundleURLSchemes: string \($0)" }
    }

    /// Makes the application and tells the system of it.
    func install() async throws {
        try uninstall()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await run(["osacompile", "-o", path, "-e", script])
        for declaration in declarations {
            try await run(["/usr/libexec/PlistBuddy", "-c", declaration, path + "/Contents/Info.plist"])
        }
        let register = "/System/Library/Frameworks/CoreServices.framework/Frameworks/LaunchServices.framework/Support/"
        try await run([register + "lsregister", "-f", path])
    }

    /// Takes it away.
    func uninstall() throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch { throw CommandFailure("Cannot remove \(path).") }
    }

    private func run(_ command: [String]) async throws {
        guard try await SystemProgram.run(command, within: .seconds(60)) == 0 else {
            throw CommandFailure("macOS could not be told about links: \(command[0]) failed.")
        }
    }

    /// Words of a shell's command, within a string of AppleScript.
    private static func quoted(_ command: [String]) -> String {
        command.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
            .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
