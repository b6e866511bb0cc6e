internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NostrClient
internal import ViewModels

/// A file that came with a form; it lies on disk, and is gone with this unless somebody takes it up.
struct ArrivedFile: Sendable {
    /// The field that it was chosen in.
    let field: String
    /// What it is called there.
    let name: String
    /// What the browser says it is.
    let type: String
    /// Where it lies.
    let intake: FileIntake
}
