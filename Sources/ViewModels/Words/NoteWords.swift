/// What is said about a note.
enum NoteWords {
    /// Stands where a note far longer than any is cut off.
    static let cut = "\n\n[This note goes on. It is longer than Linnet shows.]"

    /// A sound of a film's own, by the code of its language.
    static func sound(_ language: String, isOriginal: Bool) -> String {
        isOriginal ? "Sound (\(language), the original)" : "Sound (\(language))"
    }

    /// Where something was shown first, as its author calls it, and the host that a link there really leads to.
    static func origin(_ name: String, host: String?) -> String {
        guard let host, host != name.lowercased() else { return name }
        return "\(name) (\(host))"
    }
}
