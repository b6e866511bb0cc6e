import ArgumentParser
internal import Circles
import Foundation
import NostrClient
import NostrCore

extension CircleCommand {
    /// `linnet circle avatar`.
    struct Avatar: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a picture of yourself to a circle.", discussion: CirclePictureFile.discussion)

        @OptionGroup var options: CircleOptions
        @OptionGroup var file: CirclePictureFile

        func run() async throws {
            let jpeg = try file.read()
            try await options.change { try await $0.pictures.setAvatar(jpeg, in: $1) }
        }
    }

    /// `linnet circle picture`.
    struct Picture: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a circle a picture, as one of its admins.", discussion: CirclePictureFile.discussion)

        @OptionGroup var options: CircleOptions
        @OptionGroup var file: CirclePictureFile

        func run() async throws {
            let jpeg = try file.read()
            try await options.change { try await $0.pictures.setPicture(jpeg, in: $1) }
        }
    }

    /// `linnet circle burn`.
    struct Burn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a circle for everybody and wipe it here; other members leave it and wipe it.",
            discussion: """
                An admin removes everybody else, other admins too, and the circle is wiped from this machine once a \
                relay has that. If you are not an admin, you leave and your copy is wiped, and the keys to ask \
                again once somebody's program has let them go. What others saved stays with them; relays may keep \
                sealed events, which they cannot read. Without --yes it only says whom it would remove.
                """)

        @OptionGroup var options: CircleOptions
        @Flag(help: "Do it: it cannot be undone.") var yes = false

        func run() async throws {
            try await options.run(catchingUp: false) { [yes, waiting = options.waiting] circles, id in
                let standing = try await circles.reader.overview().circles.first { $0.id == id }?.standing
                // Who is out of it has nothing to wait for.
                if standing == .member || standing == .leaving { try await waiting.catchUp(with: [id], circles) }
                guard yes else { throw CommandFailure(try await words(id, circles)) }
                try await circles.administration.end(id)
                let isOver = try await isTrue(within: .seconds(waiting.wait)) {
                    let circle = try await circles.reader.overview().circles.first { $0.id == id }
                    guard circle?.standing == .vanishing else { return circle == nil }
                    return try await circles.reader.health(of: id).unsent == 0
                }
                guard isOver else {
                    Output.error("No relay has it yet; it goes on when Linnet runs again.\n")
                    throw ExitCode.failure
                }
            }
        }

        private func words(_ id: CircleID, _ circles: AccountCircles) async throws -> String {
            guard let circle = try await circles.reader.overview().circles.first(where: { $0.id == id }) else {
                return ""
            }
            let others = max(0, circle.people.count - 1)
            let rest = "wipes it from this machine. It cannot be undone: say --yes to do it."
            if others == 0 { return "This " + rest }
            if circle.isAdmin {
                return "This removes \(others == 1 ? "one other person" : "\(others) others"), other admins too, and "
                    + rest
            }
            return "This leaves the circle, which goes on without you, and " + rest
        }
    }
}

/// A picture, or none.
struct CirclePictureFile: ParsableArguments {
    static let discussion = """
        A JPEG of at most 128 by 128 pixels and 12 KB, as in Whistle. Only the picture itself is sent: where and when a \
        photo was taken, and with what, is cut off.
        """

    @Argument(help: ArgumentHelp("The JPEG.", valueName: "file")) var path: String?
    @Flag(name: .customLong("none"), help: "Take the picture back.") var isNone = false

    func validate() throws {
        if isNone != (path == nil) { throw ValidationError("Name a file, or say --none.") }
    }

    /// The bytes of the file; nil to take the picture back.
    func read() throws -> [UInt8]? {
        guard let path else { return nil }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("The file \(path) cannot be read.")
        }
        // One byte more than is looked at says that it is too large.
        return [UInt8](try handle.read(upToCount: CircleImage.mostUnread + 1) ?? Data())
    }
}
