internal import NostrCore
internal import NostrRelay

extension HomeTimeline {
    /// Counts how complete home is, so that no page has to ask for everybody.
    func measureCompleteness() async {
        let (followed, ledger, history) = (gossip.followed, self.ledger, self.history)
        // Away from the actor, and below pages: of thousands it takes milliseconds, again and again while home is gathered.
        completeness = await inBackground { HomeCompleteness(of: followed, ledger, history) }
    }
}

extension HomeCompleteness {
    /// Counts what relays gave of some people at this start and before.
    fileprivate init(of people: Set<PublicKey>, _ ledger: CoverageLedger, _ history: CoverageHistory) {
        self.init()
        let before = history.authors
        for author in people {
            let endings = ledger.asked(for: author).values
            let complete = endings.count { $0 == .some(.complete) }
            add(
                isHeard: complete > 0 || before.contains(author),
                isInFull: !endings.isEmpty && complete == endings.count)
        }
    }
}
