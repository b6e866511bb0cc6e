public import NostrClient

/// Where somebody is in the first run, as a page shows it.
public struct FirstRunSteps: Equatable, Sendable {
    /// A step of the first run.
    public typealias Step = FirstRunProgress.Step

    /// One step on the way.
    public struct Row: Equatable, Sendable {
        /// How a step stands.
        public enum Standing: Equatable, Sendable {
            case done, skipped, open
        }

        /// Which.
        public let step: Step
        /// Its name.
        public let title: String
        /// How it stands.
        public let standing: Standing
    }

    /// All steps, in their order.
    public let rows: [Row]
    /// The first that is open; `nil` when none is.
    public let current: Step?
    /// What the person called themselves when the key was made.
    public let name: String

    /// Shows how far somebody has come.
    public init(_ progress: FirstRunProgress) {
        rows = Step.allCases.map { step in
            let standing: Row.Standing =
                switch progress.outcomes[step] {
                case .done: .done
                case .skipped: .skipped
                case nil: .open
                }
            return Row(step: step, title: FirstRunWords.title(of: step), standing: standing)
        }
        current = progress.current
        name = progress.name
    }

    /// The steps of an account.
    ///
    /// - Returns: `nil` where there is no first run, or it is over.
    public static func load(of account: any Account) async -> FirstRunSteps? {
        guard let progress = await account.firstRun?.progress(), !progress.isOver else { return nil }
        return FirstRunSteps(progress)
    }
}
