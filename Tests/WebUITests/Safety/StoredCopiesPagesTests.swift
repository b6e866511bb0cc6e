import HTTPTypes
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("what is stored of people who are muted")
struct StoredCopiesPagesTests {
    @Test("can be deleted on the page of who is muted and not followed, and of nobody else; what was done is said")
    func deleted() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        let ben = FakeAuthor(2).key
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let path = "/people/\(ben.hex)"
            let before = try await browser.get(path, cookie: cookie)
            #expect(!before.text.contains("Delete it here"))
            _ = try await browser.post(path + "/mute/on", ["csrf": before.csrf], cookie: cookie)
            let followed = try await browser.get(path, cookie: cookie)
            #expect(!followed.text.contains("Delete it here") && followed.text.contains("unfollow them first"))
            _ = try await browser.post(path + "/unfollow", ["csrf": before.csrf], cookie: cookie)
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.text.contains("Delete it here") && page.text.contains("action=\"\(path)/forget\""))
            let done = try await browser.post(path + "/forget", ["csrf": page.csrf], cookie: cookie)
            #expect(done.location == path && under.account.stored.removed == [ben])
            let after = try await browser.get(path, cookie: cookie)
            #expect(after.text.contains("Deleted 3 events of theirs from this machine."))
            let forged = try await browser.post(path + "/forget", ["csrf": "x"], cookie: cookie)
            #expect(forged.status == .forbidden && under.account.stored.removed == [ben])
        }
    }
}
