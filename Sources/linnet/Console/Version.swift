/// What this build calls itself.
enum Version {
    /// Semantic version; the changelog says what each one brought.
    static let text = "0.1.0"
}
