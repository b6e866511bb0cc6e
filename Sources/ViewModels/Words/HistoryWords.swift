/// What the time machine says.
enum HistoryWords {
    static let versionMissing = "This version is not here."
    static let inForceAlready = "This version is in force already."
    static let noVersions = "No earlier versions are kept for this account."
}
