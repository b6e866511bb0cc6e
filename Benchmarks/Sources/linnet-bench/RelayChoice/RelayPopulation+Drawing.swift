import Foundation

extension RelayPopulation {
    /// Draws a population in which somebody follows so many people.
    init(_ shapes: RelayShapes, follows: Int, seed: UInt64) {
        self.seed = seed
        var drawing = Drawing(shapes: shapes, draws: Draws(state: seed))
        relays = drawing.relays(Int((Double(follows) * shapes[.pool]).rounded()))
        people = (0..<follows).map { _ in drawing.person(relays) }
    }
}

/// Draws relays and people.
private struct Drawing {
    let shapes: RelayShapes
    var draws: Draws
    /// Sums of the popularity of relays, to draw by.
    private var popularity: [Double] = []
    private var bigs = 0

    init(shapes: RelayShapes, draws: Draws) {
        self.shapes = shapes
        self.draws = draws
    }

    mutating func relays(_ count: Int) -> [RelayPopulation.Relay] {
        bigs = min(shapes.count(.bigGenerals), count)
        var sum = 0.0
        popularity = (1...count).map { rank in
            sum += pow(Double(rank), -shapes[.popularity])
            return sum
        }
        // The big ones live, so that more of the others are gone.
        let offline = min(shapes[.offline] * Double(count) / Double(max(count - bigs, 1)), 1)
        return (0..<count).map { relay(isBig: $0 < bigs, offline: offline) }
    }

    private mutating func relay(isBig: Bool, offline: Double) -> RelayPopulation.Relay {
        var relay = RelayPopulation.Relay()
        if !isBig {
            relay.isAlive = !chance(offline)
            let kind = Double.random(in: 0..<1, using: &draws) * max(1 - shapes[.offline], 0.01)
            let (paid, gated) = (shapes[.paid], shapes[.authGated])
            if kind < paid {
                relay.isReadable = chance(shapes[.paidReadable])
            } else if kind < paid + gated {
                relay.isReadable = false
            } else if kind < paid + gated + shapes[.restricted] {
                relay.isRestricted = true
            }
            if chance(shapes[.newRelays]) { relay.began = Double.random(in: 0..<RelayPopulation.today, using: &draws) }
        }
        relay.uptime = !isBig && chance(shapes[.flaky]) ? shapes[.flakyUptime] : shapes[.steadyUptime]
        if chance(shapes[isBig ? .bigPrunes : .smallPrunes]) {
            relay.keptDays = shapes[.keptDays] * pow(3, Double.random(in: -1...1, using: &draws))
        }
        if !relay.isAlive { relay.isReadable = false }
        return relay
    }

    mutating func person(_ relays: [RelayPopulation.Relay]) -> RelayPopulation.Person {
        var person = RelayPopulation.Person()
        let hasList = !chance(shapes[.withoutList])
        let size = Int(logNormal(median: shapes[.listMedian], mean: shapes[.listMean]).rounded())
        let named = some(min(max(size, 1), 40), not: [])
        // Before the day of a move somebody wrote to other relays.
        let moved = chance(shapes[.moves]) ? Double.random(in: 0..<RelayPopulation.today, using: &draws) : 0
        let before = moved > 0 ? changed(named) : named
        var targets = named
        if hasList {
            person.list = named
            if chance(shapes[.stale]) { targets = changed(named) }
        } else {
            targets = Array(named.prefix(2)) + defaults()
            if chance(shapes[.hinted]) {
                person.hints = [chance(shapes[.hintRight]) ? targets[0] : some(1, not: targets)[0]]
            }
        }
        let elsewhere = chance(shapes[.elsewhere]) ? defaults() : []
        let now = Set(targets + elsewhere).sorted()
        let then = Set(before + elsewhere).sorted()
        guard chance(hasList ? shapes[.active] : shapes[.activeWithoutList]) else { return person }
        person.places = Array(Set(now + then).sorted().prefix(64))
        let likely = person.places.map { number in
            let relay = relays[number]
            guard relay.isAlive, !relay.isRestricted || chance(shapes[.member]) else { return 0.0 }
            return shapes[.writeSuccess] * relay.uptime
        }
        let (old, new) = (person.places.map(then.contains), person.places.map(now.contains))
        let weekly = min(logNormal(median: shapes[.notesMedian], mean: shapes[.notesMean]), 700)
        for week in stride(from: 0, to: RelayPopulation.today, by: 7) where chance(shapes[.weeksActive]) {
            for moment in moments(rate: weekly / 7, from: week, to: min(week + 7, RelayPopulation.today)) {
                let written = moment < moved ? old : new
                var note = RelayPopulation.Note(day: moment, places: 0)
                for (place, relay) in person.places.enumerated() where written[place] && likely[place] > 0 {
                    if relays[relay].began <= moment, chance(likely[place]) { note.places |= 1 << UInt64(place) }
                }
                if note.places != 0 { person.notes.append(note) }
            }
        }
        return person
    }

    /// Where an app sends what it writes by itself: some of the big relays.
    private mutating func defaults() -> [Int] {
        Array((0..<bigs).shuffled(using: &draws).prefix(shapes.count(.elsewhereRelays)))
    }

    /// A list of the same length of which a part stayed.
    private mutating func changed(_ list: [Int]) -> [Int] {
        let kept = list.filter { _ in chance(shapes[.keptAtMove]) }
        return kept + some(list.count - kept.count, not: kept)
    }

    /// Different relays, the popular ones more often.
    private mutating func some(_ count: Int, not taken: [Int]) -> [Int] {
        var found: [Int] = []
        var tries = 0
        while found.count < count, tries < 4000 {
            tries += 1
            let draw = Double.random(in: 0..<(popularity.last ?? 1), using: &draws)
            let relay = popularity.partitioningIndex { $0 > draw }
            if relay < popularity.count, !found.contains(relay), !taken.contains(relay) { found.append(relay) }
        }
        return found
    }

    private mutating func moments(rate: Double, from start: Double, to end: Double) -> [Double] {
        var moments: [Double] = []
        var moment = start
        while rate > 0 {
            moment -= log(1 - Double.random(in: 0..<1, using: &draws)) / rate
            if moment >= end { break }
            moments.append(moment)
        }
        return moments
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &draws) < share }

    private mutating func logNormal(median: Double, mean: Double) -> Double {
        let spread = (2 * log(max(mean / median, 1))).squareRoot()
        return median * exp(spread * draws.normal())
    }
}

extension Draws {
    /// A draw from the normal distribution.
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
    }

    /// A draw from the gamma distribution.
    ///
    /// Source: Marsaglia and Tsang, 2000.
    private mutating func gamma(_ shape: Double) -> Double {
        if shape < 1 { return gamma(shape + 1) * pow(1 - Double.random(in: 0..<1, using: &self), 1 / shape) }
        let d = shape - 1 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = normal()
            let v = pow(1 + c * x, 3)
            guard v > 0 else { continue }
            if log(1 - Double.random(in: 0..<1, using: &self)) < x * x / 2 + d - d * v + d * log(v) { return d * v }
        }
    }

    /// A draw from the beta distribution.
    mutating func beta(_ a: Double, _ b: Double) -> Double {
        let x = gamma(a)
        return x / (x + gamma(b))
    }
}

extension [Double] {
    /// Where the first element is for which something holds, in an array in which it holds from somewhere on.
    fileprivate func partitioningIndex(_ holds: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
