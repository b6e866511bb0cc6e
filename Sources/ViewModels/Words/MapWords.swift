/// What pages say about maps and the pictures kept for them.
package enum MapWords {
    package static let noRegion = "The page did not say which part of the map."
    package static let notCleared = "The kept pictures of maps could not be deleted."
    package static func regionTooLarge(most: Int) -> String {
        "That is more than \(most) pictures: zoom in, and keep a smaller part."
    }

    /// How far the keeping of a part has come.
    package static func progress(done: Int, ready: Int, count: Int, isBroken: Bool) -> String {
        if isBroken { return "The source refused or cannot be reached: \(ready) of \(count) are here." }
        return done < count ? "\(done) of \(count) …" : "All \(count) are here for when there is no network."
    }

    /// How much is kept: `240 kB`.
    package static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\((bytes + 1023) / 1024) kB" : "\(bytes >> 20) MB"
    }

    // What is wrong with the address of a source

    package static let notSecure = "The address must begin with https:// unless it is on this machine."
    package static func missing(_ mark: String) -> String {
        "The address must hold \(mark) exactly once, behind the name of the server."
    }
    package static let unknownMark = "In braces, an address can only hold {z}, {x}, {y} and {s}."
    package static let notAnAddress =
        "That is not the address of map tiles; one looks like https://tiles.example/{z}/{x}/{y}.png."
    package static let tooLong = "That is longer than 500 characters."
    package static let badZoom = "The maximum zoom is a number from 0 to 22."
}
