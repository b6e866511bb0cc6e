internal import NostrCore
public import NostrNIPs

/// What a relay says of itself, as a screen shows it; every word of it is a stranger's.
public struct RelayStatement: Equatable, Sendable {
    /// Its name, in one line; may be empty.
    public let name: String
    /// What it is about, by paragraphs.
    public let paragraphs: [String]
    /// Who runs it.
    public let keeper: PersonItem?
    /// Another way to reach them, in one line; may be empty.
    public let contact: String
    /// What it runs, in one line; may be empty.
    public let software: String
    /// The NIPs it says it supports.
    public let nips: [Int]
    /// What it asks of those who write or read there, in sentences.
    public let rules: [String]
    /// What it costs, a phrase for each fee.
    public let fees: [String]
    /// Where one pays, and its terms: addresses on the web.
    public let paymentPage: String?, terms: String?

    private static let mostNIPs = 100
    private static let longestText = 1_000

    /// Reads a document.
    ///
    /// - Parameter person: who runs it.
    public init(_ information: RelayInformation, keptBy person: PersonItem?) {
        name = oneLine(information.name ?? "", limit: 60)
        paragraphs = (information.description ?? "").prefix(Self.longestText).split(separator: "\n\n")
            .map { oneLine(String($0), limit: Self.longestText) }.filter { !$0.isEmpty }
        keeper = person
        contact = oneLine(information.contact ?? "", limit: 120)
        software = oneLine(
            [information.software, information.version].compactMap(\.self).joined(separator: " "), limit: 120)
        nips = Array(Set(information.supportedNIPs).sorted().prefix(Self.mostNIPs))
        rules = RelayStatementWords.rules(information.limitation)
        fees = information.fees.map(RelayStatementWords.fee)
        paymentPage = information.paymentsURL.flatMap(webAddress)
        terms = information.termsOfService.flatMap(webAddress)
    }
}
