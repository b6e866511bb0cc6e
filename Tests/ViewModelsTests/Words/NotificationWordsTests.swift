import NostrClient
import NostrCore
import Testing

@testable import ViewModels

/// What a notification says somebody did.
struct NotificationWordsTests {
    @Test(
        "a deed names what it is about",
        arguments: [
            (.repost, 30_023, "reposted your article"), (.repost, 1, "reposted your note"),
            (.repost, nil, "reposted your note"), (.reaction, 34_235, "reacted to your film"),
            (.reaction, 20, "reacted to your picture"), (.zap, 30_311, "zapped your live stream"),
        ] as [(AccountNotification.Sort, UInt16?, String)])
    func deeds(sort: AccountNotification.Sort, kind: UInt16?, words: String) {
        #expect(NotificationWords.deed(sort, about: kind.map { Kind($0) }, hasTarget: true, isOne: true) == words)
    }
}
