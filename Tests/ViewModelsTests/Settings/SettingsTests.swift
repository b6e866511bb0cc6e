import Foundation
import NostrCore
import NostrTesting
import Testing

@testable import ViewModels

@Suite("settings")
struct SettingsTests {
    private static let chosen = PersonalSettings(
        look: Look(theme: .nord, scheme: .light, accent: Colour("#112233"), textSize: .large, motion: .less),
        remoteMedia: .always, mapSource: MapSource(template: "https://t/{z}/{x}/{y}", attribution: "©", maxZoom: 9),
        placeSource: .gpsd(address: "10.0.0.7:2947"))

    @Test("of an account are kept whole", arguments: [chosen, PersonalSettings()])
    func personal(settings: PersonalSettings) throws {
        let bytes = try JSONEncoder().encode(settings)
        #expect(try JSONDecoder().decode(PersonalSettings.self, from: bytes) == settings)
        #expect(try JSONDecoder().decode(PersonalSettings.self, from: Data("{}".utf8)) == PersonalSettings())
    }

    @Test("what was chosen for all accounts, before each had its own, is what each begins with")
    func first() async throws {
        let before = Data(
            """
            {"theme":"light","remoteMedia":"never","allowedRelays":["ws://10.0.0.1"],\
            "mapSource":{"template":"https://t/{z}/{x}/{y}","attribution":"©","maxZoom":9},\
            "placeSource":{"gpsd":{"address":"10.0.0.7:2947"}}}
            """.utf8)
        let settings = try JSONDecoder().decode(Settings.self, from: before)
        let first = PersonalSettings(
            look: Look(scheme: .light), remoteMedia: .never, mapSource: Self.chosen.mapSource,
            placeSource: Self.chosen.placeSource)
        #expect(settings == Settings(look: Look(scheme: .light), allowedRelays: ["ws://10.0.0.1"], first: first))
        let kept = SettingsInMemory(settings)
        #expect(await kept.settings(of: TestPerson.alice.publicKey) == first)
        await kept.keep(Self.chosen, of: TestPerson.alice.publicKey)
        #expect(await kept.settings(of: TestPerson.alice.publicKey) == Self.chosen)
        #expect(await kept.settings(of: TestPerson.bob.publicKey) == first)
    }

    @Test("of the program are kept whole, and what accounts begin with outlives a change of the rest")
    func program() throws {
        var settings = Settings(first: PersonalSettings(look: Look(scheme: .dark), remoteMedia: .never))
        settings.look = Self.chosen.look
        settings.allowedRelays = ["ws://10.0.0.1"]
        let bytes = try JSONEncoder().encode(settings)
        #expect(try JSONDecoder().decode(Settings.self, from: bytes) == settings)
        #expect(settings.withoutAccount.look == Self.chosen.look && settings.withoutAccount.remoteMedia == .never)
        #expect(try JSONDecoder().decode(Settings.self, from: Data("{}".utf8)) == Settings())
    }
}
