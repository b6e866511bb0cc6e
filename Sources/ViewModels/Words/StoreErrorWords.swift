public import NostrStore

/// Why the program's own store did not do what was asked, in words.
extension StoreError: SpokenError {
    /// One plain sentence a person can act on; no content, no secret.
    public var sentence: String {
        switch code {
        case .diskFull:
            "There is no room left for \(database). What it holds is safe; make room and try again."
        case .locked:
            file == nil
                ? "Something else keeps \(database) locked. Try again when it is done."
                : "Another program keeps \(database) locked. Close it and try again."
        case .readOnly:
            file == nil
                ? "\(atStart) can only be read now."
                : "\(atStart) can only be read. Check who owns it and that its disk is not read-only."
        case .corrupt:
            "\(atStart) is damaged, or is not a database of Linnet. It was left as it is; move it away to start afresh."
        case .empty:
            "\(atStart) is empty, and Linnet never leaves it so. Put back a copy of it, or remove it to start afresh."
        case .missing:
            "\(atStart) is missing, but its log is there (\(file ?? "")-wal). Put the database back beside it, or move the log away to start afresh."
        case .replaced:
            "\(atStart), or its log, was removed, replaced or changed by something else while Linnet used it. Nothing has been kept since: stop Linnet, put the file back and start it again."
        case .tooNew: "\(atStart) was written by a newer Linnet. Use that version, or a newer one."
        case .cannotOpen:
            "\(atStart) cannot be opened. Check that its folder exists and that you may write there."
        case .io:
            "Reading or writing \(database) failed\(detail.map { " (code \($0))" } ?? "")."
        case .badAddress: "The address of \(database) cannot be used; one looks like postgres://host/name."
        case .unreachable: "\(atStart) cannot be reached\(detail.map { ": \($0)" } ?? ".")"
        case .noAnswer: "\(atStart) did not answer in time."
        case .connectionBroke: "The connection to \(database) broke."
        case .closed: "The connections to \(database) are closed."
        }
    }

    private var database: String { file.map { "the database \($0)" } ?? "the PostgreSQL database" }
    private var atStart: String { "T\(database.dropFirst())" }
}
