public import NostrClient
public import NostrCore
public import NostrNIPs

/// A GIF to choose from, as a screen shows it.
public struct GifItem: Hashable, Sendable, Identifiable {
    /// What its small picture is called on this machine.
    public let id: String
    /// What it shows, in words; never empty.
    public let title: String
    /// How large it is, in words; empty where nobody says.
    public let facts: String
    /// How large it is on a screen; room is kept for it.
    public let size: PixelSize?
    /// What a note would say of it: an `imeta` tag.
    public let tag: Tag

    /// Shows one; `nil` for one that lies at no address of the web.
    init?(_ gif: Gif) {
        guard let address = webAddress(gif.file.url) else { return nil }
        var file = gif.file
        file.url = address
        let words = oneLine(gif.title, limit: 200)
        title = words.isEmpty ? GifWords.untitled : words
        file.type = FileMetadata.gifType
        file.description = title
        id = gif.id
        size = file.dimensions
        facts = [
            file.dimensions.map { "\($0.width) × \($0.height)" }, file.byteCount.map(FileWords.size),
        ].compactMap { $0 }.joined(separator: ", ")
        tag = file.tag
    }
}

/// The GIFs that fit what a person looks for.
public struct GifPicker: Hashable, Sendable {
    /// What was looked for; empty for what is new.
    public let words: String
    /// Those that people published on relays.
    public let ofRelays: [GifItem]
    /// Those of a host; empty where none is asked.
    public let ofHost: [GifItem]
    /// Where the host's GIFs come from, in its words; `nil` where none is asked.
    public let credit: String?
    /// Why the host gave none; `nil` where it did, or is not asked.
    public let hostProblem: String?

    private static let most = 24
    private static let longestWords = 100

    /// Looks for GIFs; relays and the host are asked at the same time.
    ///
    /// - Parameter choice: which host is asked, where there is a key for it.
    public static func load(
        _ written: String, from choice: GifHostChoice, of account: any Account
    ) async throws(Trouble) -> GifPicker {
        guard let gifs = account.gifs else { throw Trouble(GifWords.none, canRetry: false) }
        let words = oneLine(written, limit: longestWords)
        let host = account.gifHost
        async let asked = found(words, at: choice, by: host)
        let ofRelays = try await troubled { try await gifs.search(words, limit: most) }
        let answer = await asked
        return GifPicker(
            words: words, ofRelays: ofRelays.compactMap { GifItem($0) },
            ofHost: answer.gifs.compactMap { GifItem($0) },
            credit: answer.isAsked ? GifWords.credit(choice) : nil, hostProblem: answer.problem)
    }

    private struct HostAnswer: Sendable {
        var gifs: [Gif] = []
        var isAsked = false
        var problem: String?
    }

    private static func found(
        _ words: String, at choice: GifHostChoice, by host: (any GifHosting)?
    ) async -> HostAnswer {
        var answer = HostAnswer()
        guard let host, !choice.isEmpty else { return answer }
        do {
            guard try await host.hasKey() else { return answer }
            answer.isAsked = true
            answer.gifs = try await host.search(words, at: choice, limit: most)
        } catch {
            // Locked meanwhile counts as no host.
            answer.problem = answer.isAsked ? Trouble(error).sentence : nil
        }
        return answer
    }
}
