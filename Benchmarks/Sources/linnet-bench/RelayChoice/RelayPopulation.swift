import Foundation

/// Relays, and people who write to some of them for a year: where each note stands, and what the lists say.
///
/// Equal shapes and seeds make equal populations. Relays and people are numbers; the most popular relay is 0.
struct RelayPopulation: Sendable {
    /// The day everything is looked at; notes were written from day 0 on.
    static let today = 365.0

    /// A relay.
    struct Relay: Sendable {
        /// Whether it answers at all.
        var isAlive = true
        /// Whether strangers may read there.
        var isReadable = true
        /// Whether only members may write there.
        var isRestricted = false
        /// The share of the time it is up.
        var uptime = 1.0
        /// For how many days it keeps notes.
        var keptDays = Double.infinity
        /// The day it began.
        var began = -Double.infinity
    }

    /// A note.
    struct Note: Sendable {
        var day: Double
        /// Which of the author's places took it.
        var places: UInt64
    }

    /// Somebody who is followed.
    struct Person: Sendable {
        /// The write relays of the list, in its order; empty without a list.
        var list: [Int] = []
        /// Where others say that somebody without a list writes.
        var hints: [Int] = []
        /// Every relay that ever got a note, at most 64.
        var places: [Int] = []
        /// The oldest first.
        var notes: [Note] = []

        /// What was written after a day, as it is on another.
        func notes(after start: Double, on day: Double) -> ArraySlice<Note> {
            let (first, end) = (firstNote { $0.day > start }, firstNote { $0.day > day })
            return notes[min(first, end)..<end]
        }

        private func firstNote(where holds: (Note) -> Bool) -> Int {
            var (low, high) = (0, notes.count)
            while low < high {
                let middle = (low + high) / 2
                if holds(notes[middle]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
    }

    var relays: [Relay] = []
    var people: [Person] = []
    /// The well-known relays of the program: where somebody without a list may be.
    let fallback = [0, 1, 2]
    let seed: UInt64

    /// Whether a relay is up on a day: the same for everybody who asks.
    func isUp(_ relay: Int, on day: Double) -> Bool {
        guard relays[relay].isAlive else { return false }
        var draws = Draws(state: seed &* 31 &+ UInt64(relay) &* 7919 &+ UInt64(day) &* 104_729)
        return Double.random(in: 0..<1, using: &draws) < relays[relay].uptime
    }

    /// Whether a note stands on a day where it may be read, be that relay up or not.
    func exists(_ note: Note, of person: Person, on day: Double) -> Bool {
        guard note.day <= day else { return false }
        return person.places.indices.contains { place in
            let relay = relays[person.places[place]]
            return note.places & 1 << UInt64(place) != 0 && relay.isReadable && day - note.day <= relay.keptDays
        }
    }

    /// How many notes of a person a relay gives that asks for a stretch of days on a day.
    func count(_ person: Person, at relay: Int, after start: Double, on day: Double) -> Int {
        guard let place = person.places.firstIndex(of: relay) else { return 0 }
        let bit = UInt64(1) << UInt64(place)
        return person.notes(after: max(start, day - relays[relay].keptDays), on: day).count { $0.places & bit != 0 }
    }
}
