/// A method over some sessions, and what share of the notes it finds in the last of them.
struct RelayTrial {
    let population: RelayPopulation
    let shapes: RelayShapes
    /// How many days back is asked for.
    let window: Double
    var connections = 20
    /// How often a relay that cannot be read is replaced by another choice within a session.
    private static let tries = 40

    struct Outcome {
        /// Found of what exists.
        var recall = 0.0
        /// The same in the first session, when nothing was learnt.
        var first = 0.0
        /// The relays that were read in the last session.
        var connections = 0
        /// At how many relays a person is read.
        var perPerson = 0.0
    }

    init(_ population: RelayPopulation, _ shapes: RelayShapes, window: Double) {
        (self.population, self.shapes, self.window) = (population, shapes, window)
    }

    func run<Method: RelayChoice>(_ method: Method.Type, seed: UInt64) -> Outcome {
        var method = Method(population, connections: connections, seed: seed)
        let sessions = shapes.count(.sessions)
        var outcome = Outcome()
        for session in 0..<sessions {
            let day = RelayPopulation.today - Double(sessions - 1 - session) * shapes[.daysBetween]
            method.begin(on: day)
            let answers = read(&method, on: day)
            if session == 0 { outcome.first = recall(answers) }
            if session == sessions - 1 {
                outcome.recall = recall(answers)
                outcome.connections = Set(answers.asked.joined()).count
                outcome.perPerson = Double(answers.asked.joined().count) / Double(max(answers.asked.count, 1))
            } else {
                method.learn(answers)
            }
        }
        return outcome
    }

    /// Chooses until every relay of the choice can be read, and asks them.
    private func read<Method: RelayChoice>(_ method: inout Method, on day: Double) -> RelayAnswers {
        var readers = method.choose()
        var gone: Set<Int> = []
        for _ in 0..<Self.tries {
            let unread = Set(readers.joined()).subtracting(gone).filter { !isRead($0, on: day) }
            if unread.isEmpty { break }
            gone.formUnion(unread)
            method.refused(unread)
            readers = method.choose()
        }
        let asked = readers.map { relays in relays.filter { isRead($0, on: day) } }
        return RelayAnswers(population: population, day: day, start: day - window, asked: asked)
    }

    private func isRead(_ relay: Int, on day: Double) -> Bool {
        population.relays[relay].isReadable && population.isUp(relay, on: day)
    }

    private func recall(_ answers: RelayAnswers) -> Double {
        var (found, all) = (0, 0)
        for (number, person) in population.people.enumerated() {
            all += person.notes(after: answers.start, on: answers.day).count {
                population.exists($0, of: person, on: answers.day)
            }
            found += answers.total(number)
        }
        return Double(found) / Double(max(all, 1))
    }
}
