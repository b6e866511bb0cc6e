internal import NostrCore
public import NostrSigner

/// What holds for all apps of a signer: protected kinds, its own relays, whether it is paused.
public struct SignerSettingsState: Screen {
    /// A kind nobody signs by the way.
    public struct KindItem: Hashable, Sendable, Identifiable {
        /// Its number.
        public let number: UInt16
        /// What its events are called.
        public let title: String
        /// Whether it is protected.
        public let isProtected: Bool

        public var id: UInt16 { number }
    }

    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// Kinds that are protected, or are unless the person says otherwise.
    public private(set) var kinds: [KindItem] = []
    /// The signer's own relays, one a line.
    public private(set) var relays = ""
    /// Whether nothing is done for any app at present.
    public private(set) var isPaused = false
    /// What is wrong, in one sentence.
    public private(set) var problem: String?
    /// What was done, in one sentence.
    public private(set) var done: String?
    private var settings = SignerSettings()

    /// The most relays of its own.
    public static let mostRelays = 10

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// What holds.
        case read(SignerSettings)
        /// Protect these kinds: numbers, and more numbers with white space or commas between them.
        case protect([String], more: String)
        /// Listen on these relays, one a line.
        case listen(String)
        /// Protect what is protected from the start.
        case reset
        /// It is kept.
        case saved
        /// It did not work.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case read
        case save(SignerSettings)
    }

    /// A page not opened yet.
    public init() {}

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let settings):
            phase = .ready
            self.settings = settings
            show()
            return []
        case .protect(let chosen, let more): return protect(chosen, more)
        case .listen(let text): return listen(text)
        case .reset:
            settings.protectedKinds = SignerSettings.defaultProtectedKinds
            return [.save(settings)]
        case .saved:
            done = "Saved."
            return [.read]
        case .failed(let trouble):
            if phase == .ready { problem = trouble.sentence } else { phase = .failed(trouble) }
            return []
        }
    }

    private mutating func show() {
        isPaused = settings.isPaused
        relays = settings.relays.map(\.text).joined(separator: "\n")
        kinds = settings.protectedKinds.union(SignerSettings.defaultProtectedKinds).sorted().map { kind in
            KindItem(
                number: kind.rawValue, title: kindWords(kind), isProtected: settings.protectedKinds.contains(kind))
        }
    }

    private mutating func protect(_ chosen: [String], _ more: String) -> [Effect] {
        problem = nil
        let written = more.split { $0.isWhitespace || $0 == "," }.map(String.init)
        let numbers = (chosen + written).map { UInt16($0) }
        guard numbers.allSatisfy({ $0 != nil }) else {
            problem = "Kinds are numbers from 0 to 65535."
            return []
        }
        settings.protectedKinds = Set(numbers.compactMap(\.self).map { Kind($0) })
        return [.save(settings)]
    }

    private mutating func listen(_ text: String) -> [Effect] {
        problem = nil
        relays = text
        var found: [RelayURL] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            guard let relay = try? RelayURL(String(word)) else {
                problem = "“\(oneLine(String(word), limit: 80))” is no relay. Relays begin with wss://."
                return []
            }
            if !found.contains(relay) { found.append(relay) }
        }
        guard found.count <= Self.mostRelays else {
            problem = "At most \(Self.mostRelays) relays; a few are better heard than many."
            return []
        }
        settings.relays = found
        return [.save(settings)]
    }
}

extension ScreenModel where S == SignerSettingsState {
    init(signerSettingsOf service: any SigningService) {
        self.init(SignerSettingsState()) { effect in
            do {
                switch effect {
                case .read: return .read(try await service.settings())
                case .save(let settings):
                    try await service.setSettings(settings)
                    return .saved
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}
