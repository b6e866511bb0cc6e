import NostrNIPs
import Testing

@testable import ViewModels

@Suite("words about live streams")
struct StreamWordsTests {
    @Test(
        "who watches is told of what is live, who watched of what has ended, and nothing where nobody says it",
        arguments: [
            (12, 90, 3, LiveActivity.Status.live, "12 watching, according to the stream · 3 in the chat"),
            (nil, 90, 3, .live, "3 in the chat"), (0, nil, 0, .live, ""),
            (12, 90, 3, .ended, "90 watched, according to the stream"), (12, nil, 3, .ended, ""),
            (12, 0, 3, .ended, ""), (12, 90, 3, .planned, ""),
        ] as [(Int?, Int?, Int, LiveActivity.Status, String)])
    func attendance(viewers: Int?, total: Int?, chatters: Int, status: LiveActivity.Status, words: String) {
        #expect(StreamWords.attendance(viewers: viewers, total: total, chatters: chatters, status) == words)
    }
}
