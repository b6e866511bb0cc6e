/// Why there is no copy; its number is the exit status, which `linnet` reads.
enum Failure: Int32, Error {
    case misused = 2
    /// No type that metadata can be taken out of.
    case unsupported = 3
    /// Not what it begins as.
    case broken = 4
    case tooLarge = 5
    case tooManyDots = 6
    case notWritten = 7
    /// The library that reads pictures is not installed.
    case noLibrary = 8
}

/// What was made.
struct Result {
    let type: String
    var width: Int?
    var height: Int?
    var milliseconds: Int?
    var blurhash: String?
    var thumbhash: String?

    /// One line; none of its texts holds what JSON would have to escape but for the backslash, which none has either.
    var json: String {
        var fields = ["\"type\":\"\(type)\""]
        if let width, let height { fields.append("\"width\":\(width),\"height\":\(height)") }
        if let milliseconds { fields.append("\"milliseconds\":\(milliseconds)") }
        if let blurhash { fields.append("\"blurhash\":\"\(blurhash)\"") }
        if let thumbhash { fields.append("\"thumbhash\":\"\(thumbhash)\"") }
        return "{" + fields.joined(separator: ",") + "}"
    }
}
