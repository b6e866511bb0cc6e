/// The numbers a population of relays and people is drawn from, each with where it comes from.
///
/// `docs/relay-choice.md` has the same table; what is assumed can be scaled, to see what hangs on it.
struct RelayShapes: Sendable {
    /// Where a number comes from.
    enum Source: Sendable, Equatable {
        /// Measured by others, and where it stands.
        case published(String)
        /// Follows from published numbers, and how.
        case derived(String)
        /// Nobody measured it.
        case assumed
    }

    private var values: [Name: Double] = [:]

    subscript(name: Name) -> Double { values[name] ?? name.standard.value }

    /// A number that counts things.
    func count(_ name: Name) -> Int { max(Int(self[name].rounded()), 1) }

    /// The same numbers with one of them scaled; a share stays at most 1.
    func scaled(_ name: Name, by factor: Double) -> RelayShapes {
        var shapes = self
        shapes.values[name] = name.isShare ? min(self[name] * factor, 1) : self[name] * factor
        return shapes
    }
}

extension RelayShapes {
    /// What a number says.
    enum Name: String, CaseIterable, Sendable {
        // Relays.
        case pool, offline, paid, authGated, restricted, popularity, bigGenerals
        case flaky, flakyUptime, steadyUptime, paidReadable, bigPrunes, smallPrunes, keptDays, newRelays
        // People.
        case withoutList, activeWithoutList, active, listMedian, listMean, member, stale, moves, keptAtMove
        case elsewhere, elsewhereRelays, hinted, hintRight
        // Notes.
        case notesMedian, notesMean, weeksActive, writeSuccess
        // Reading.
        case sessions, daysBetween

        /// Whether it is a part of something.
        var isShare: Bool {
            switch self {
            case .pool, .popularity, .bigGenerals, .keptDays, .listMedian, .listMean, .elsewhereRelays,
                .notesMedian, .notesMean, .sessions, .daysBetween:
                false
            default: true
            }
        }

        /// What it is where nothing else is said, and why.
        var standard: (value: Double, source: Source) { relays ?? people ?? (1, .assumed) }

        private var relays: (Double, Source)? {
            let nip11 = Source.published("nostrability/outbox, OUTBOX-REPORT §5.3: share of unique addresses")
            return switch self {
            case .pool:
                (1.7, .derived("0.77 addresses are named for each person followed (§8.2: 725 of 943, 1018 of 1328)"))
            case .offline: (0.486, nip11)
            case .paid: (0.036, nip11)
            case .authGated: (0.003, nip11)
            case .restricted: (0.035, nip11)
            case .popularity: (1.27, .derived("two relays are named by 84–86 % of those with a list (§8.1)"))
            case .flaky: (0.2, .published("Wei and Tyson, arXiv 2402.05709: a fifth is down over 40 % of the time"))
            case .flakyUptime: (0.5, .assumed)
            case .bigGenerals: (8, .assumed)
            case .steadyUptime: (0.98, .assumed)
            case .paidReadable: (0.5, .assumed)
            case .bigPrunes: (0.75, .assumed)
            case .smallPrunes: (0.3, .assumed)
            case .keptDays: (100, .assumed)
            case .newRelays: (0.2, .assumed)
            case .sessions: (8, .assumed)
            case .daysBetween: (7, .assumed)
            default: nil
            }
        }

        private var people: (Double, Source)? {
            switch self {
            case .withoutList: (0.25, .published("OUTBOX-REPORT §8.1: 10–48 %, 23–31 % of long follow lists"))
            case .activeWithoutList: (0.15, .published("NIP66-COMPARISON-REPORT §5: 12–16 %"))
            case .active: (0.6, .derived("§8.2: 58–60 % of those with a list have notes of a year"))
            case .listMedian: (5, .derived("the mean below, and the spread of a logarithmic normal"))
            case .listMean:
                (6.8, .derived("phase-1-findings: 4.6 within the top 20 relays, 233 addresses of 148 people"))
            case .notesMedian: (12, .published("OUTBOX-REPORT §8.3: 8–17 in a week"))
            case .notesMean: (34, .published("OUTBOX-REPORT §8.3: 28–40 in a week"))
            case .elsewhereRelays: (3, .assumed)
            case .elsewhere: (0.3, .assumed)
            case .member: (0.5, .assumed)
            case .stale: (0.15, .assumed)
            case .moves: (0.3, .assumed)
            case .keptAtMove: (0.5, .assumed)
            case .hinted: (0.5, .assumed)
            case .hintRight: (0.7, .assumed)
            case .weeksActive: (0.6, .assumed)
            case .writeSuccess: (0.9, .assumed)
            default: nil
            }
        }
    }
}
