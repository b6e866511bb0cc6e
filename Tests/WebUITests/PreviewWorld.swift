import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import ScreenTesting

/// A world with something of everything a page can show.
func previewWorld(_ now: Timestamp) -> FakeWorld {
    var world = FakeWorld(
        names: [
            "Mara Finch", "Tomás Reyes", "Ingrid Solheim", "Kofi Mensah", "李雪", "Noor",
            "A very long display name indeed",
        ],
        newest: now)
    for (index, author) in world.authors.enumerated() {
        world.people[author.key]?.fields["nip05"] = index % 2 == 0 ? "_@heath\(index).example" : nil
        world.people[author.key]?.fields["about"] =
            "Walks early, writes late. Birds, #baking and slow software. https://heath\(index).example/about"
        world.people[author.key]?.fields["website"] = "https://heath\(index).example"
    }
    let first = world.write(
        "Saw a flock of linnets over the gorse this morning, maybe forty of them, all talking at once. #birds\n\nThe light was so low that every one of them glowed.",
        by: 1, tags: [["t", "birds"]], ago: 240)
    world.write(
        "Good bread is patience. 78 % water, eighteen hours in the cellar, then as hot as the oven goes.", by: 2,
        ago: 900)
    world.write("Half the web is now people explaining how to use the other half.", by: 3, ago: 2400)
    world.write(
        "What does everyone use to keep notes on a walk? Paper gets wet, phones get cold. nostr:\(world.authors[4].key.npub) you must know.",
        by: 5, ago: 3000)
    world.write("今天在湖边看到了三只白鹭。", by: 4, ago: 3600)
    world.write(
        "Release notes for the tide clock: https://example.org/tide-clock/releases/2026-11-21?utm=none\n\n• knows summer time\n• survives a power cut\n• the bell is optional now",
        by: 6, ago: 5000)
    world.write(
        "The ending of the lighthouse book, all of it: she stays.", by: 2, tags: [["content-warning", "spoiler"]],
        ago: 7000)
    let inner = world.note("A library is a house that other people have already thought in.", by: 4, ago: 90_000)
    var repost = world.note("", by: 3, kind: 6, ago: 8000)
    repost.reposted = [inner]
    world.keep(repost)
    let answer = world.write(
        "Forty! Here they left weeks ago.", by: 2, tags: [["e", first.id.hex, "", "root"]], ago: 200)
    world.write(
        "They come back when the thistles seed.", by: 1,
        tags: [["e", first.id.hex, "", "root"], ["e", answer.id.hex, "", "reply"]], ago: 150)
    world.write("Ours stay all winter by the harbour.", by: 5, tags: [["e", first.id.hex, "", "root"]], ago: 120)
    var own = world.write("First note from my own machine. Hello, everyone.", by: 0, ago: 600)
    own.delivery = Note.Delivery(accepted: 3, asked: 4)
    world.notes = world.notes.map { $0.id == own.id ? own : $0 }
    for index in 0..<60 {
        world.write(
            "Note \(index) of a quiet week. The kettle, the window, the rain again.", by: index + 1,
            ago: Int64(12_000 + index * 5000))
    }
    world.notes = world.notes.enumerated().map { index, note in
        var note = note
        note.replies = index * 7 % 5
        note.reposts = index * 3 % 4
        note.reactions = index * 13 % 40
        if index == 3 { note.ownReaction = "+" }
        if index == 5 { note.quoted = [inner.id: inner] }
        return note
    }
    return world
}

/// Relays and coverage for the relays page.
func previewRelays(_ world: FakeWorld) throws -> ([RelayReport], [AuthorCoverage]) {
    let names = [
        "nest", "hedge", "moor", "gorse", "harbour", "tide", "lantern", "orchard", "quarry", "mill", "fen", "dune",
    ]
    let relays = try names.map { try RelayURL("wss://\($0).example") }
    let crowd = (1...90).map {
        Person(key: FakeAuthor(UInt8($0)).key, fields: ["name": "Person \($0)"], isFollowed: true)
    }
    var authors: [RelayURL: [PublicKey]] = [:]
    let coverage = crowd.enumerated().map { index, person in
        var asked: [RelayURL: RelayEnding?] = [:]
        var received: [RelayURL: Int] = [:]
        for step in 0..<(1 + index % 3) {
            let relay = relays[(index * (step + 1) * 5 + step * 3) % (3 + index % 10)]
            asked[relay] = (index + step) % 7 == 0 ? .some(.deadline) : .some(.complete)
            received[relay] = 10 + index
            authors[relay, default: []].append(person.key)
        }
        return AuthorCoverage(person: person, asked: asked, received: received, basis: .relayList)
    }
    let reports = relays.enumerated().map { index, relay in
        var statistics = RelayStatistics()
        statistics.state = index % 5 == 4 ? .waiting(retryAfter: .seconds(30)) : .connected
        statistics.events = 400 * (12 - index)
        statistics.duplicates = 90 * index
        statistics.latency = .milliseconds(20 + index * 17)
        statistics.lastProblem = index % 5 == 4 ? "connection refused" : nil
        statistics.distrusted = index == 7 ? "sent 3 events with wrong signatures" : nil
        statistics.forged = index == 7 ? 3 : 0
        return RelayReport(
            relay: relay, statistics: statistics, authors: authors[relay] ?? [], isOwnRead: index < 2,
            isOwnWrite: index < 3)
    }
    return (reports, coverage)
}
