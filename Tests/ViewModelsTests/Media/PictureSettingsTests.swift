import NostrClient
import Testing

@testable import ViewModels

@Suite("what is kept of others' pictures")
struct PictureSettingsTests {
    @Test("found files are counted beside the pictures, and can be emptied where there are no pictures")
    func counted() {
        let (none, one) = (
            KeptMediaUsage(bytes: 0, count: 0, limit: 1 << 28), KeptMediaUsage(bytes: 70_000, count: 1, limit: 1 << 28)
        )
        let settings = PictureSettings(none, found: one, PersonalSettings())
        #expect(settings.used == "Nothing is kept." && !settings.isEmpty)
        #expect(settings.found == "One file found on other servers, 70 kB of 268.4 MB.")
        let empty = PictureSettings(none, found: none, PersonalSettings())
        #expect(empty.isEmpty && empty.found == "No files found on other servers are kept.")
        #expect(PictureSettings(one, found: nil, PersonalSettings()).found == nil)
    }
}
