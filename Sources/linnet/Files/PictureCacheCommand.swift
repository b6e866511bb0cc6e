import ArgumentParser
import NostrClient
import NostrNIPs
import ViewModels

/// `linnet files cache`: pictures of others that are kept for pages.
struct PictureCacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Print how much is kept of others' pictures, bound it, or empty it.",
        discussion: """
            Pictures of people and emoji are fetched and kept by Linnet where the settings of its pages say so, and files \
            that were found on other servers than a note names. Prints a line of JSON; nothing is sent or fetched. \
            --limit bounds the pictures.
            """)

    @Flag(help: "Delete all that is kept.") var empty = false
    @Option(help: ArgumentHelp("Keep at most so many megabytes from now on.", valueName: "MB")) var limit: String?
    @OptionGroup var session: AccountSession

    func run() async throws {
        try await session.run { [empty, limit] account in
            guard let pictures = account.pictures else { throw CommandFailure(PictureWords.none) }
            do throws(Trouble) {
                if let limit { try await PictureSettings.setLimit(megabytes: limit, of: account) }
                if empty { try await PictureSettings.clear(of: account) }
            } catch { throw CommandFailure(error.sentence) }
            Output.line(
                Self.text(of: try await pictures.usage(), found: try await account.files?.foundUsage()))
        }
    }

    /// What is kept, as a line of JSON.
    static func text(of usage: KeptMediaUsage, found: KeptMediaUsage?) -> String {
        var members = [
            JSONMember("pictures", .number("\(usage.count)")), JSONMember("bytes", .number("\(usage.bytes)")),
            JSONMember("limit", .number("\(usage.limit)")),
        ]
        if let found {
            members.append(JSONMember("found", .number("\(found.count)")))
            members.append(JSONMember("foundBytes", .number("\(found.bytes)")))
        }
        return JSONValue.object(members).text
    }
}
