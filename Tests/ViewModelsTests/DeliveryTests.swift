import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("how far a message has come")
struct DeliveryTests {
    private func receipt(
        _ person: Person, _ states: [PublishReceipt.State], basis: RecipientReceipt.Basis = .inbox
    ) throws -> RecipientReceipt {
        let relays = try states.enumerated().map { index, state in
            PublishReceipt(
                relay: try RelayURL("wss://r\(index).example"), purpose: .readOf(person.key), state: state,
                lastAnswer: nil)
        }
        return RecipientReceipt(recipient: person, basis: basis, relays: relays)
    }

    private let there = PublishReceipt.State.accepted(Timestamp(seconds: 1))
    private let waits = PublishReceipt.State.waiting(attempts: 1, next: Timestamp(seconds: 9))
    private let gone = PublishReceipt.State.givenUp(.said("no"), attempts: 1)

    @Test("is told in one phrase for one person")
    func one() throws {
        let here = MessageWorld()
        let (ada, ben) = (here.ada, here.ben)
        let table: [([PublishReceipt.State], RecipientReceipt.Basis, String, DeliveryItem.Standing)] = [
            ([there, waits, there], .inbox, "stored on 2 of 3 of Ben's inbox relays", .there),
            ([waits, waits], .inbox, "on its way to Ben's inbox relays", .waiting),
            ([gone, gone], .inbox, "refused by Ben's inbox relays", .failed),
            ([gone, there], .relayList, "stored on 1 of 2 of Ben's relays", .there),
            ([], .unknown, "waiting to learn where Ben reads", .waiting),
        ]
        for (states, basis, phrase, standing) in table {
            let receipts = try [receipt(ada, [gone]), receipt(ben, states, basis: basis)]
            let item = DeliveryItem(receipts.map { RecipientItem($0, own: ada.key) }, own: ada.key)
            #expect(item.phrase == phrase && item.standing == standing)
        }
    }

    @Test("is told in one phrase for a group, and for oneself")
    func many() throws {
        let here = MessageWorld()
        let own = here.ada.key
        let some = try [receipt(here.ben, [there]), receipt(here.cleo, [waits]), receipt(here.ada, [there])]
        let item = DeliveryItem(some.map { RecipientItem($0, own: own) }, own: own)
        #expect(item.phrase == "stored for 1 of 2" && item.standing == .partly)
        let alone = DeliveryItem([RecipientItem(try receipt(here.ada, [there]), own: own)], own: own)
        #expect(alone.phrase == "stored on your own inbox relays")
    }

    @Test(
        "is told from the counts alone",
        arguments: [
            (0, 1, 1, "on its way to Ben's relays"), (1, 1, 1, "stored on Ben's relays"),
            (1, 3, 3, "stored for 1 of 3"),
            (3, 3, 3, "stored for all 3"), (0, 0, 0, "on its way to your own relays"),
        ])
    func counts(accepted: Int, asked: Int, others: Int, phrase: String) {
        let ben = PersonItem(MessageWorld().ben)
        let item = DeliveryItem(
            Note.Acceptance(accepted: accepted, asked: asked), others: Array(repeating: ben, count: others))
        #expect(item.phrase == phrase)
    }

    @Test("is asked after for the newest and for what is not there yet")
    func asks() async throws {
        let here = MessageWorld()
        let first = await here.messaging.arrive("a", from: here.ada, to: [here.ben])
        let second = await here.messaging.arrive("b", from: here.ada, to: [here.ben])
        for message in [first, second] {
            await here.messaging.set(receipts: [try receipt(here.ben, [there, waits])], of: message.id)
        }
        await here.messaging.change(first.id, in: first.room) { $0.delivery = Note.Acceptance(accepted: 1, asked: 1) }
        let state = await ScreenModel<ConversationState>(conversation: first.room.word, of: here.account)
            .send(.chat(.opened(before: nil, isSeen: true, draft: MessageDraft())))
        #expect(
            state.log.messages.map(\.delivery?.phrase) == [
                "stored on Ben's relays", "stored on 1 of 2 of Ben's inbox relays",
            ])
    }
}
