/// Sites of the web that people of a world link to: most say what their pages are about, some are broken or hostile.
///
/// All are hosts under `.example`, which no resolver knows; nothing of them stands on a socket.
public struct WorldSites: Sendable {
    /// What a site answers.
    public struct Page: Sendable {
        /// The `Content-Type`.
        public let type: String
        /// The document.
        public let text: String
    }

    /// The addresses that people link to, with what they say about each.
    static let links: [(address: String, words: String)] = [
        ("https://heron.example/estuary", "The estuary in its best light, by somebody who waited for it."),
        ("https://heron.example/counts?year=2025", "Numbers for this winter are out. The lapwings are back."),
        ("https://oven.example/rye", "Tried this rye. It wants a day more than you think."),
        ("https://spokes.example/night-ride", "Who comes along this year?"),
        ("https://almanac.example/comet", "Low in the west after sunset, binoculars are enough."),
        ("https://shelf.example/reading-list", "Half of these I had never heard of."),
        ("https://plain.example/notes.html", "An old page without any fuss. I miss those."),
        ("https://umlaute.example/garten", "Über Kompost kann man lange reden."),
        // What is shown of these is the link alone.
        ("https://silent.example/never", "Does this load for you? Not here."),
        ("https://paper.example/report.pdf", "The full report, 40 pages."),
        ("https://loud.example/win", "Somebody sent me this. Do not believe it."),
    ]

    private let pictures: String

    /// Pages show pictures of this world's host.
    public init(_ world: World) {
        pictures = world.pictures
    }

    /// The page at an address; `nil` where nobody answers.
    public func page(at address: String) -> Page? {
        switch address {
        case "https://heron.example/estuary":
            card("Waiting for the estuary", "Three mornings, one tide table and a flask of tea.", "Heron", "birds-41")
        case "https://heron.example/counts?year=2025":
            card("Winter counts 2025", "What 62 people saw between the weir and the sea.", "Heron", nil)
        case "https://oven.example/rye":
            card(
                "Rye, slowly &mdash; a loaf for patient people", "Flour, water, salt &amp; a cool kitchen.", "Oven",
                "bread-8")
        case "https://spokes.example/night-ride":
            card("The night ride", "Forty kilometres by lamp, with soup at the turn.", "Spokes", "wheels-3")
        case "https://almanac.example/comet":
            card("How to find the comet", "", "Almanac", "stars-17")
        case "https://shelf.example/reading-list":
            card("Sixty short books", "For trains, queues and one long evening.", "", nil)
        case "https://plain.example/notes.html": Page(type: "text/html", text: "<title>Notes from the shed</title><p>…")
        case "https://umlaute.example/garten":
            card("Kompost für Geduldige", "Was hinein darf, und was nicht.", "Gartenblatt", "garden-5")
        case "https://paper.example/report.pdf": Page(type: "application/pdf", text: "%PDF-1.7")
        case "https://loud.example/win": Page(type: "text/html; charset=utf-8", text: Self.hostile)
        default: nil
        }
    }

    private func card(_ title: String, _ summary: String, _ site: String, _ picture: String?) -> Page {
        let image = picture.map { "<meta property=\"og:image\" content=\"\(pictures)/photo/\($0).svg\">" } ?? ""
        let text = """
            <!doctype html><html><head><meta charset="utf-8"><title>\(title) | a site</title>
            <meta property="og:title" content="\(title)"><meta property="og:description" content="\(summary)">
            <meta property="og:site_name" content="\(site)">\(image)</head><body><h1>\(title)</h1></body></html>
            """
        return Page(type: "text/html; charset=utf-8", text: text)
    }

    /// Markup where text belongs, marks that turn the direction of writing, an address that runs, and no end.
    private static let hostile =
        "<html><head><!-- <title>no</title> --><script>var a = '<title>no</title>'</script>"
        + "<title>You won &lt;script&gt;alert(1)&lt;/script&gt;\u{202E}gnp.exe</title>"
        + "<meta property='og:image' content='javascript:alert(1)'><meta name=description content=\"<b>Click</b> "
        + String(repeating: "!", count: 20_000)
}
