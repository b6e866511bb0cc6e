import AccountTesting
import Foundation
import NostrCore
import NostrRelay
import NostrTesting
import Testing

@testable import NostrClient

@Suite("relays' answers on disk")
struct PublishAnswerRecordTests {
    private static let outcomes: [PublishOutcome] =
        [
            .accepted(Reason(nil, "")), .accepted(Reason(.duplicate, "have it")), .rejected(Reason(.pow, "28 bits")),
            .rejected(Reason(nil, "no \"reason\"")), .tooLong(limit: 65_536), .timedOut, .blocked, .shuttingDown,
        ]
        + AuthenticationFailure.allCases.map { .unauthenticated($0) } + failures.map { .failed($0) }

    private static let failures: [TransportFailure] =
        [
            .nameNotFound, .refused, .unreachable, .timedOut, .privateAddress, .handshake(status: 404),
            .closed(code: 1006), .closed(code: nil), .frameTooLong(limit: 1 << 20), .io("errno 5"),
        ] + CertificateProblem.allCases.map { .certificate($0) }

    private func delivery(_ state: PublishReceipt.State, _ answer: PublishAnswer?) -> Delivery {
        Delivery(
            event: TestPerson.alice.event("hi"), queuedAt: Timestamp(seconds: 1_700_000_000),
            targets: [Delivery.Target(relay: relay("a"), purpose: .ownWrite, state: state, lastAnswer: answer)])
    }

    @Test("every answer comes back as it was", arguments: outcomes)
    func returns(outcome: PublishOutcome) throws {
        let given = delivery(.givenUp(.outcome(outcome), attempts: 7), .outcome(outcome))
        #expect(try DeliveryRecord.decode(DeliveryRecord.encode(given)) == given)
    }

    @Test(
        "why a relay was chosen comes back as it was",
        arguments: [
            PublishReceipt.Purpose.ownWrite, .readOf(TestPerson.bob.publicKey), .indexer, .conversation,
        ])
    func purposes(_ purpose: PublishReceipt.Purpose) throws {
        let target = Delivery.Target(
            relay: relay("a"), purpose: purpose, state: .waiting(attempts: 0, next: Timestamp(seconds: 5)),
            lastAnswer: nil)
        let given = Delivery(
            event: TestPerson.alice.event("hi"), queuedAt: Timestamp(seconds: 1_700_000_000), targets: [target])
        #expect(try DeliveryRecord.decode(DeliveryRecord.encode(given)) == given)
    }

    @Test("what an older version kept in words is read as words")
    func older() throws {
        let known = delivery(.waiting(attempts: 0, next: Timestamp(seconds: 0)), nil)
        let event = try #require(String(bytes: DeliveryRecord.encode(known), encoding: .utf8))
        let target = #"{"relay":"wss://a.example","#
        let answers = #""givenUp":"no answer in time; tried 9 times","answer":"no answer in time"}"#
        let start = try #require(event.range(of: #""targets":["#)?.upperBound)
        let end = try #require(event[start...].firstIndex(of: "]"))
        let old = event[..<start] + target + answers + event[end...]
        let read = try #require(try DeliveryRecord.decode(Array(old.utf8)).targets.first)
        #expect(read.state == .givenUp(.said("no answer in time; tried 9 times"), attempts: 1))
        #expect(read.lastAnswer == .said("no answer in time"))
    }

    @Test(
        "what a later version writes loses no delivery",
        arguments: [
            (#"{"code":"unheardOf","text":"some words"}"#, PublishAnswer.said("some words")),
            (#"{"code":"unheardOf"}"#, .said("unheardOf")),
            (#"{"code":"certificate","text":"expired"}"#, .outcome(.failed(.io("expired")))),
            (#"{"code":"unauthenticated","text":"asleep"}"#, .said("asleep")),
        ])
    func later(json: String, answer: PublishAnswer) throws {
        #expect(try JSONDecoder().decode(PublishAnswerRecord.self, from: Data(json.utf8)).answer == answer)
    }
}
