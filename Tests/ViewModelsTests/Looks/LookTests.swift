import Foundation
import Testing

@testable import ViewModels

@Suite("looks")
struct LookTests {
    @Test("are kept whole")
    func kept() throws {
        let look = Look(
            theme: .gruvbox, scheme: .dark, accent: Colour("#ff9800"), textSize: .large, motion: .less)
        for look in [look, Look()] {
            #expect(try JSONDecoder().decode(Look.self, from: JSONEncoder().encode(look)) == look)
        }
    }

    @Test(
        "what cannot be read costs one choice, not the others",
        arguments: [
            ("{}", Look()),
            (#"{"theme":"nord","scheme":"dark"}"#, Look(theme: .nord, scheme: .dark)),
            (#"{"theme":"of tomorrow","scheme":"dark"}"#, Look(scheme: .dark)),
            (##"{"theme":"nord","accent":"#fff;}body{"}"##, Look(theme: .nord)),
            (#"{"theme":7,"accent":7,"textSize":"large","motion":null}"#, Look(textSize: .large)),
        ])
    func partly(text: String, look: Look) throws {
        #expect(try JSONDecoder().decode(Look.self, from: Data(text.utf8)) == look)
    }
}
