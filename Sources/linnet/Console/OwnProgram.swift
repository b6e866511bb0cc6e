import Foundation

/// This program's own file, and those beside it.
enum OwnProgram {
    /// Another program that is built and installed with this one.
    static func beside(_ name: String) -> String {
        executable.deletingLastPathComponent().appending(path: name).path
    }

    /// This program's own file.
    private static var executable: URL {
        #if os(Linux)
            URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        #else
            Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        #endif
    }
}
