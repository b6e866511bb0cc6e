import NostrCore
import Testing

@testable import NostrClient

/// The steps of the first run as a value.
struct FirstRunProgressTests {
    typealias Step = FirstRunProgress.Step

    private func begun() -> FirstRunProgress { FirstRunProgress(name: "Ada", began: Timestamp(seconds: 1_000)) }

    /// What is done, where that leads, and what is to be done by itself then.
    struct Case: CustomTestStringConvertible {
        var inputs: [FirstRunProgress.Input]
        var current: Step?
        var isOver = false
        var effects: [FirstRunProgress.Effect] = []
        var testDescription: String { "\(inputs)" }
    }

    @Test(
        "steps come in their order, each done or skipped once; what nobody chose is announced at the end",
        arguments: [
            Case(inputs: [], current: .key),
            Case(inputs: [.resumed], current: .key, effects: [.findRelays, .findPeople, .findTopics]),
            Case(inputs: [.finished(.key)], current: .relays),
            Case(
                inputs: [.finished(.key), .resumed], current: .relays, effects: [.findRelays, .findPeople, .findTopics]),
            Case(inputs: [.skipped(.key), .finished(.relays)], current: .profile),
            Case(
                inputs: [.skipped(.key), .skipped(.relays), .resumed], current: .profile,
                effects: [.findPeople, .findTopics]),
            // A later step can be done first, as by going back and forth.
            Case(inputs: [.finished(.people)], current: .key),
            Case(inputs: [.finished(.key), .skipped(.key)], current: .relays),
            Case(inputs: [.left], current: nil, isOver: true, effects: [.announce]),
            Case(inputs: Step.allCases.map { .skipped($0) }, current: nil, isOver: true, effects: [.announce]),
            Case(inputs: Step.allCases.map { .finished($0) }, current: nil, isOver: true),
            Case(inputs: [.finished(.relays), .left], current: nil, isOver: true, effects: [.announce]),
            Case(inputs: [.finished(.relays), .finished(.profile), .left], current: nil, isOver: true),
            Case(inputs: [.left, .left], current: nil, isOver: true),
            // After a restart what was not announced is, what was is not.
            Case(inputs: [.left, .resumed], current: nil, isOver: true, effects: [.announce]),
            Case(inputs: [.left, .announced, .resumed], current: nil, isOver: true),
            // Who closed the browser on the way is to be found, once, and goes on where they were.
            Case(inputs: [.skipped(.key), .waited], current: .relays, effects: [.announce]),
            Case(inputs: [.announced, .waited], current: .key),
            Case(inputs: [.finished(.relays), .finished(.profile), .waited], current: .key),
            Case(inputs: [.left, .announced, .waited], current: nil, isOver: true),
        ])
    func steps(_ given: Case) throws {
        var progress = begun()
        var effects: [FirstRunProgress.Effect] = []
        for input in given.inputs {
            effects = progress.apply(input)
            // Closing the program between any two steps changes nothing.
            let restarted = try #require(FirstRunProgress(try progress.encoded()))
            #expect(restarted == progress)
            progress = restarted
        }
        #expect(progress.current == given.current)
        #expect(progress.isOver == given.isOver)
        #expect(effects == given.effects)
    }

    @Test("a key counts as new until all that is published by itself is, and for two hours at most")
    func novelty() {
        var progress = begun()
        #expect(progress.isKeyNew(at: Timestamp(seconds: 1_001)))
        #expect(!progress.isKeyNew(at: Timestamp(seconds: 1_000 + 7_200)))
        _ = progress.apply(.left)
        #expect(progress.isKeyNew(at: Timestamp(seconds: 1_001)))
        _ = progress.apply(.announced)
        #expect(!progress.isKeyNew(at: Timestamp(seconds: 1_001)))
    }

    @Test(
        "what is no record is no first run, and a step of a later version is left out",
        arguments: ["", "{}", "[1]", "\u{0}"])
    func noise(text: String) {
        #expect(FirstRunProgress(Array(text.utf8)) == nil)
        let later = #"{"name":"A","began":5,"steps":{"wallet":"done","key":"done"},"isOver":false,"isAnnounced":false}"#
        #expect(FirstRunProgress(Array(later.utf8))?.outcomes == [.key: .done])
    }
}
