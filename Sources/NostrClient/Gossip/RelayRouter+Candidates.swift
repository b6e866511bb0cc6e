internal import NostrCore

extension RelayRouter {
    /// Where one author may be read.
    struct Candidates {
        /// What may be asked, what promises most first.
        var relays: [RelayURL]
        var listed: [RelayURL]
        var hinted: [RelayURL]
        /// What came of the author until now.
        var delivery: MeasuredDelivery.AuthorDelivery

        /// What an author lists comes first, then what was hinted.
        func rank(_ relay: RelayURL) -> Int {
            listed.contains(relay) ? 2 : hinted.contains(relay) ? 1 : 0
        }

        /// What an author lists promises most, what was hinted less, an indexer less still, and least a relay that
        /// others list; what came counts for more.
        var weighted: [RelayCover.Candidate] {
            relays.map { relay in
                RelayCover.Candidate(relay: relay, weight: delivery.drawnShare(at: relay, promise: promise(of: relay)))
            }
        }

        fileprivate func promise(of relay: RelayURL) -> Double {
            switch rank(relay) {
            case 2: 1
            case 1: 0.6
            default: listed.isEmpty ? 0.3 : Self.unlisted
            }
        }

        /// What is expected of a relay that many people list, and this author does not.
        fileprivate static let unlisted = 0.1
    }

    /// Looks for where authors may be read, and remembers what it found of each relay: many authors name the same.
    struct CandidateSearch {
        /// How many relays count as popular.
        static let mostPopular = 8
        private let router: RelayRouter
        private let now: Timestamp
        private var usable: [RelayURL: Bool] = [:]

        init(_ router: RelayRouter, now: Timestamp) {
            (self.router, self.now) = (router, now)
        }

        /// Whether a relay can be read now.
        mutating func isUsable(_ relay: RelayURL) -> Bool {
            if let known = usable[relay] { return known }
            let isUsable = router.isUsable(relay, now: now)
            usable[relay] = isUsable
            return isUsable
        }

        /// The relays most of these authors write to, each with how many.
        mutating func popularRelays(among authors: Set<PublicKey>) -> [PopularRelay] {
            var counts: [RelayURL: Int] = [:]
            for author in authors {
                for relay in router.lists[author]?.write.prefix(12) ?? [] { counts[relay, default: 0] += 1 }
            }
            let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            var popular: [PopularRelay] = []
            for (relay, writers) in sorted where popular.count < Self.mostPopular && isUsable(relay) {
                popular.append(PopularRelay(relay: relay, writers: writers))
            }
            return popular
        }

        /// Where an author may be read: the living relays of the list; where there are none, hints, popular relays and
        /// indexers.
        mutating func candidates(for author: PublicKey, popular: [PopularRelay] = []) -> Candidates {
            let list = author == router.account ? router.ownWrite : router.lists[author]?.write ?? []
            var found = Candidates(
                relays: [], listed: list, hinted: [], delivery: router.measured.delivery(of: author))
            // Some lists name hundreds of relays; those after the first dozen add nothing but sockets.
            found.relays = Array(list.filter { isUsable($0) }.oncePerEndpoint().prefix(12))
            if found.relays.isEmpty {
                let indexers = router.indexers
                let hints = router.hints.relays(of: author).filter { isUsable($0) && !indexers.contains($0) }
                found.hinted = Array(hints.prefix(3))
                let others = indexers.filter { isUsable($0) } + popular.prefix(4).map(\.relay)
                found.relays = (found.hinted + others).uniqued()
            } else {
                found.relays += unlisted(by: found, popular)
            }
            if found.relays.isEmpty {
                // Nothing living is known: a resting relay of the list is better than nobody.
                found.relays = Array(list.filter(router.trusts).prefix(3)) + router.indexers.prefix(2)
            }
            return found
        }

        /// Popular relays where an author with a list may be found all the same: those that gave something, and one to
        /// try.
        ///
        /// Lists are old, and some apps write to where most people read. One that gave nothing while others did is not
        /// asked again.
        private func unlisted(by found: Candidates, _ popular: [PopularRelay]) -> [RelayURL] {
            let others = popular.filter { $0.isWorthTrying && !found.relays.contains($0.relay) }.map(\.relay)
            let known = others.filter { found.delivery.came(from: $0) }
            let promise = Candidates.unlisted
            let untried = others.first { relay in
                !found.delivery.came(from: relay)
                    && found.delivery.drawnShare(at: relay, promise: promise) >= promise / 2
            }
            return known + [untried].compactMap(\.self)
        }

        /// How an author is read when these relays are connected.
        func assignment(_ found: Candidates, among chosen: Set<RelayURL>) -> ReadPlan.Assignment {
            let usable = found.relays.filter(chosen.contains).enumerated().map { offset, relay in
                (relay: relay, order: (found.rank(relay), router.health.preference(for: relay), -offset))
            }
            let relays = usable.sorted { $0.order > $1.order }.map(\.relay)
            let basis: AuthorCoverage.Basis =
                if found.relays.contains(where: found.listed.contains) {
                    .relayList
                } else if relays.contains(where: found.hinted.contains) {
                    .hints
                } else {
                    found.listed.isEmpty || !relays.isEmpty ? .indexers : .relayList
                }
            return ReadPlan.Assignment(relays: relays, basis: basis)
        }
    }

    /// A relay that many authors write to.
    struct PopularRelay {
        /// With fewer it is chance.
        private static let fewest = 10

        var relay: RelayURL
        var writers: Int

        /// Whether people may well be there who do not say so.
        var isWorthTrying: Bool { writers >= Self.fewest }
    }
}
