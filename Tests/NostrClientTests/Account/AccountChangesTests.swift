import AsyncPrimitives
import Testing

@testable import NostrClient

/// What an account tells its screens.
///
/// How its parts wait for each other is tested in `AsyncPrimitivesTests`.
struct AccountChangesTests {
    @Test("whoever listens too slowly is told to read again, and loses only the oldest")
    func overflow() async {
        let account = AccountBench().account
        let changes = await account.changes()
        for _ in 0..<3000 { account.context.changes.send(.connection) }
        account.context.changes.send(.follows)
        var heard: [AccountChange] = []
        for await change in changes {
            heard.append(change)
            if change == .follows { break }
        }
        #expect(heard.first == .missed && heard.count <= 1025)
    }

    @Test("every listener hears everything from its beginning on")
    func listeners() async {
        let account = AccountBench().account
        var first = await account.changes().makeAsyncIterator()
        account.context.changes.send(.follows)
        var late = await account.changes().makeAsyncIterator()
        account.context.changes.send(.connection)
        #expect(await first.next() == .follows)
        #expect(await first.next() == .connection)
        #expect(await late.next() == .connection)
    }
}
