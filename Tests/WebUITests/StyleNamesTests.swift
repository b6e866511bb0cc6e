import Foundation
import Testing

@Suite("style names")
struct StyleNamesTests {
    @Test("what the map's sheet says holds for the map alone, so that no other drawing is changed by it")
    func map() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../Sources/WebUI/Assets/map.css")
        let sheet = try String(contentsOf: file, encoding: .utf8).replacing(/\/\*[\s\S]*?\*\//, with: "")
        var count = 0
        for rule in sheet.matches(of: /([^{}]+)\{/) {
            let selectors = rule.output.1.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !selectors.hasPrefix("@") else { continue }
            for selector in selectors.split(separator: ",") {
                count += 1
                #expect(selector.contains(/\.(map|pin|leaflet)/), "\(selector)")
            }
        }
        #expect(count > 20)
    }
}
