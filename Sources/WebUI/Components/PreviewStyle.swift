internal import NostrClient
internal import ViewModels

/// Whose links are previewed, and by what.
struct PreviewStyle: Sendable {
    let whose: PersonalSettings.RemoteMedia
    let source: any LinkPreviewing

    /// Whether a person's links are previewed.
    func shows(linksOf person: PersonItem, own: Bool) -> Bool {
        whose == .always || whose == .follows && (person.isFollowed || own)
    }
}
