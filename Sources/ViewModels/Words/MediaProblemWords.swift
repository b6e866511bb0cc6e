public import NostrClient

/// Why a file could not be prepared, in words.
extension MediaProblem: SpokenError {
    /// One plain sentence; nothing of what is in the file.
    public var sentence: String {
        switch self {
        case .unreadable: "This file is not there or cannot be read."
        case .unsupported(let type):
            type.isEmpty
                ? "Linnet does not know this type of file, so it cannot remove what tells about you."
                : "Linnet cannot remove what tells about you from \(oneLine(type, limit: 60)), so it does not publish such files."
        case .broken: "This file is damaged, or is not what it says it is."
        case .tooLarge(let most):
            "This file is too large: at most \(most >> 20) MB are prepared."
        case .tooManyPixels(let most): "This picture has more than \(most / 1_000_000) megapixels."
        case .overLimit: "Preparing this file took too long or too much memory, so it was stopped."
        case .notInstalled:
            "Pictures cannot be prepared here: install libvips, and linnet-media beside linnet (make build)."
        case .notWritten: "The prepared copy could not be written: is the disk full?"
        }
    }
}
