import NostrCore

/// In these tests a tag is a tag of an event, not one of the testing library.
typealias Tag = NostrCore.Tag

/// A moment after the events of the test people.
let moment = Timestamp(seconds: 1_700_000_100)

/// A hex letter 64 times.
func repeatedHex(_ letter: Character) -> String { String(repeating: letter, count: 64) }

/// The id that is a hex letter 64 times.
func repeatedID(_ letter: Character) -> EventID {
    do {
        return try EventID(hex: repeatedHex(letter))
    } catch {
        preconditionFailure("\(letter) is no hex digit: \(error)")
    }
}
