internal import NostrClient

/// Words about pictures of others that this machine keeps.
public enum PictureWords {
    /// What is said where none are kept.
    public static let none = "This Linnet keeps no pictures of others."
    /// What is said of a number that is none to choose.
    public static let noLimit = "Choose a whole number of megabytes, from 16 to 16384."
    /// What is said after something was chosen.
    public static let saved = "Saved."
    /// What is said after all were deleted.
    public static let cleared = "The pictures are deleted. They are fetched again when you see them."

    /// How much is kept.
    static func used(_ usage: KeptMediaUsage) -> String {
        guard usage.count > 0 else { return "Nothing is kept." }
        let pictures = usage.count == 1 ? "One picture" : "\(usage.count) pictures"
        return "\(pictures), \(FileWords.size(usage.bytes)) of \(FileWords.size(usage.limit))."
    }

    /// How much is kept of what was found on other servers than those that a note names.
    static func found(_ usage: KeptMediaUsage) -> String {
        guard usage.count > 0 else { return "No files found on other servers are kept." }
        let files = usage.count == 1 ? "One file" : "\(usage.count) files"
        return "\(files) found on other servers, \(FileWords.size(usage.bytes)) of \(FileWords.size(usage.limit))."
    }
}
