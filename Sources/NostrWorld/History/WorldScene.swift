internal import NostrCore

/// Where and among whom all of that happens that is written beside the chronicle, each sort from dice of its own.
struct WorldScene: Sendable {
    let people: [WorldPerson]
    /// The demo person, among ``people``.
    let hero: Int
    let graph: FollowGraph
    let choices: [RelayChoice]
    let relays: [WorldRelay]
    /// Where pictures are served, without a slash at the end, and on which port.
    let pictures: String
    let port: Int
    let now: Timestamp
    let seed: UInt64

    /// Writes all of it.
    ///
    /// - Returns: who signs receipts for payments, and the live streams, which go on.
    func write(
        with life: PrivateLife, beside written: inout [Written]
    ) -> (wallet: PublicKey, streams: WorldStreams) {
        WorldSealedFiles.send(
            people: people, hero: hero, friends: life.friends, choices: choices, relays: relays, host: pictures,
            now: now, seed: seed, beside: &written)
        let wallet = WorldZaps.pay(people: people, graph: graph, now: now, seed: seed, beside: &written)
        WorldFeeds.write(
            people: people, hero: hero, graph: graph, relays: relays, now: now, seed: seed, beside: &written)
        var streams = WorldStreams(
            people: people, hero: hero, graph: graph, choices: choices, relays: relays, pictures: pictures, now: now,
            payable: WorldZaps.payable(written), seed: seed)
        streams.writeHistory(until: now, muted: life.spammer, beside: &written)
        WorldPolls.write(
            people: people, graph: graph, choices: choices, relays: relays, now: now, seed: seed, beside: &written)
        WorldMedia.post(
            people: people, follows: graph.follows[hero], host: pictures, now: now, seed: seed, beside: &written)
        WorldEmoji.write(
            people: people, graph: graph, pictures: pictures, now: now, seed: seed, hero: hero, beside: &written)
        WorldLinks.share(people: people, authors: graph.follows[hero], now: now, seed: seed, beside: &written)
        WorldFiles.write(
            people: people, hero: hero, authors: graph.follows[hero], port: port, now: now, seed: seed,
            beside: &written)
        WorldGifs.publish(
            people: people, authors: graph.follows[hero], reads: choices[hero].reads, port: port, now: now, seed: seed,
            beside: &written)
        WorldShowcases.write(
            people: people, hero: hero, graph: graph, pictures: pictures, now: now, seed: seed, beside: &written)
        WorldReports.write(
            people: people, hero: hero, graph: graph, spammer: life.spammer, now: now, seed: seed, beside: &written)
        WorldApps.write(people: people, hero: hero, graph: graph, now: now, seed: seed, beside: &written)
        return (wallet, streams)
    }
}
