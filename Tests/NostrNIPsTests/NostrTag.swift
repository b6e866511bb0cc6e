import NostrCore

/// In these tests a tag is a tag of an event, not one of the testing library.
typealias Tag = NostrCore.Tag
