public import NostrClient
public import NostrCore

/// The choices of the page of trending notes.
public struct TrendingPage: Hashable, Sendable {
    /// One choice.
    public struct Option: Hashable, Sendable {
        /// What it leads to.
        public let choice: TrendingChoice
        /// What it is called.
        public let title: String
        /// Whether it is the one that is shown.
        public let isCurrent: Bool
    }

    /// What is shown.
    public let choice: TrendingChoice
    /// By what it can be counted.
    public let measures: [Option]
    /// How far back it can be counted.
    public let spans: [Option]
    /// Who can count it; empty where only this program does.
    public let counters: [Option]

    /// The choices around one.
    ///
    /// - Parameter server: a server of trending notes that the person uses, if any.
    public init(_ choice: TrendingChoice, server: RelayURL? = nil) {
        self.choice = choice
        measures = TrendingChoice.Measure.allCases.map { measure in
            Option(
                choice: TrendingChoice(measure, choice.span, server: choice.server), title: FeedWords.measure(measure),
                isCurrent: measure == choice.measure)
        }
        let spans = choice.server == nil ? TrendingChoice.Span.countedHere : TrendingChoice.Span.allCases
        self.spans = spans.map { span in
            Option(
                choice: TrendingChoice(choice.measure, span, server: choice.server), title: FeedWords.span(span),
                isCurrent: span == choice.span)
        }
        counters =
            server.map { server in
                [nil, server].map { counter in
                    Option(
                        choice: TrendingChoice(choice.measure, choice.span, server: counter),
                        title: counter.map { shortAddress($0) } ?? FeedWords.countedHere,
                        isCurrent: counter == choice.server)
                }
            } ?? []
    }

    /// Reads the words of an address; what is none is the first of its sort.
    ///
    /// - Parameter server: the server that may be named, if any.
    public static func choice(measure: String, span: String, counter: String, server: RelayURL?) -> TrendingChoice {
        TrendingChoice(
            TrendingChoice.Measure(rawValue: measure) ?? .reactions, TrendingChoice.Span(rawValue: span) ?? .today,
            server: counter == "server" ? server : nil)
    }
}

extension TrendingServer {
    /// What a form says.
    ///
    /// - Throws: ``Trouble`` for what is no address.
    public init(form address: String, isUsed: Bool) throws(Trouble) {
        let address = address.trimmingSpace()
        guard address.isEmpty || (address.utf8.count <= 200 && (try? RelayURL(address)) != nil) else {
            throw Trouble(FeedWords.noServer, canRetry: false)
        }
        self.init(address: address, isUsed: isUsed && !address.isEmpty)
    }
}
