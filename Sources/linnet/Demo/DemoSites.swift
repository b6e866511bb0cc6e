import NostrClient
import NostrWorld

/// The sites of a simulated Nostr; no socket leaves this machine for them.
struct DemoSites: PageFetching {
    let sites: WorldSites

    /// The site does not answer.
    struct NoAnswer: Error {}

    func page(at address: String, types: Set<String>) async throws -> FetchedPage {
        guard let page = sites.page(at: address) else { throw NoAnswer() }
        let sort = page.type.prefix { $0 != ";" }
        guard types.contains(String(sort)) else { throw NoPage() }
        return FetchedPage(address: address, type: page.type, bytes: Array(page.text.utf8))
    }
}
