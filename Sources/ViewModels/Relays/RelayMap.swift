internal import Foundation
public import NostrCore

/// A picture of who is read where: relays on an inner ring, people on an outer one, a line for every reading.
///
/// Coordinates are in a square of ``side``, the centre at its middle.
public struct RelayMap: Equatable, Sendable {
    /// A point.
    public struct Point: Hashable, Sendable {
        /// From the left.
        public let x: Double
        /// From the top.
        public let y: Double
    }

    /// A relay on the picture.
    public struct RelayNode: Equatable, Sendable {
        /// Its name.
        public let name: String
        /// How it stands.
        public let health: RelayItem.Health
        /// Where.
        public let place: Point
        /// How large; grows with the people it serves.
        public let radius: Double
        /// The direction from the centre in degrees, 0 to the right, clockwise.
        public let angle: Double
        /// How many people are read here.
        public let people: Int
    }

    /// A person on the picture.
    public struct PersonNode: Equatable, Sendable {
        /// Whose.
        public let key: PublicKey
        /// Their name.
        public let name: String
        /// Where.
        public let place: Point
        /// Whether every relay asked answered in full.
        public let isComplete: Bool
    }

    /// A line from a relay to a person.
    public struct Line: Equatable, Sendable {
        /// At the relay.
        public let from: Point
        /// Bends the line towards the relay's direction.
        public let bend: Point
        /// At the person.
        public let to: Point
        /// Whether the relay answered in full about this person.
        public let isComplete: Bool
    }

    /// The side of the square.
    public static let side = 640.0
    /// At most so many relays and people are drawn; the table below the picture has all.
    public static let mostRelays = 24, mostPeople = 160

    /// The relays.
    public let relays: [RelayNode]
    /// The people.
    public let people: [PersonNode]
    /// The lines.
    public let lines: [Line]

    /// Draws the picture.
    public init(relays items: [RelayItem], coverage: [CoverageItem]) {
        let drawn = Array(items.filter { $0.people > 0 }.prefix(Self.mostRelays))
        let most = Double(drawn.map(\.people).max() ?? 1)
        let order = interleaved(drawn)
        var nodes: [String: RelayNode] = [:]
        for (index, item) in order.enumerated() {
            let angle = 360 * Double(index) / Double(max(order.count, 1)) - 90
            nodes[item.name] = RelayNode(
                name: item.name, health: item.health, place: point(angle, radius: 185),
                radius: 5 + 13 * (Double(item.people) / most).squareRoot(), angle: angle, people: item.people)
        }
        let homes = coverage.compactMap { item -> (CoverageItem, Double)? in
            let best = item.answers.filter { nodes[$0.relay] != nil }.max {
                ($0.received, $1.relay) < ($1.received, $0.relay)
            }
            return best.flatMap { nodes[$0.relay] }.map { (item, $0.angle) }
        }
        let around = homes.prefix(Self.mostPeople).sorted {
            $0.1 == $1.1 ? $0.0.person.key < $1.0.person.key : $0.1 < $1.1
        }
        var people: [PersonNode] = []
        var lines: [Line] = []
        for (index, (item, _)) in around.enumerated() {
            let angle = 360 * (Double(index) + 0.5) / Double(around.count) - 90
            let place = point(angle, radius: 300)
            people.append(
                PersonNode(
                    key: item.person.key, name: item.person.name, place: place, isComplete: item.isComplete))
            for answer in item.answers {
                guard let node = nodes[answer.relay] else { continue }
                lines.append(
                    Line(
                        from: node.place, bend: point(node.angle, radius: 250), to: place,
                        isComplete: answer.isComplete))
            }
        }
        self.relays = order.compactMap { nodes[$0.name] }
        self.people = people
        self.lines = lines
    }
}

/// Large and small relays in turn, so that large ones do not crowd together.
private func interleaved(_ items: [RelayItem]) -> [RelayItem] {
    let half = (items.count + 1) / 2
    var order: [RelayItem] = []
    for index in 0..<half {
        order.append(items[index])
        if half + index < items.count { order.append(items[half + index]) }
    }
    return order
}

/// A point around the centre, to a tenth.
private func point(_ degrees: Double, radius: Double) -> RelayMap.Point {
    let radians = degrees * .pi / 180
    func round(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    return RelayMap.Point(
        x: round(RelayMap.side / 2 + radius * cos(radians)), y: round(RelayMap.side / 2 + radius * sin(radians)))
}
