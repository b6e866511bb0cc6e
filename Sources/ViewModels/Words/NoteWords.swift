/// What is said about a note.
enum NoteWords {
    /// Stands where a note far longer than any is cut off.
    static let cut = "\n\n[This note goes on. It is longer than Linnet shows.]"
}
