/// A screen as a value: inputs in, effects out, every decision in one pure place.
///
/// A screen does no input or output. ``ScreenModel`` runs its effects and feeds the answers back. Only what has states is
/// a screen: writing, a timeline, the first run, requests to the signer, pairing, an open conversation. Each has inputs and
/// effects of its own.
public protocol Screen: Equatable, Sendable {
    /// What can happen to it: a person acts, an answer arrives, the world changes.
    associatedtype Input: Sendable
    /// What it wants done.
    associatedtype Effect: Sendable

    /// Takes in one input and says what to do next.
    mutating func apply(_ input: Input) -> [Effect]
}

/// Runs one screen: applies inputs, performs effects side by side, applies what they bring.
///
/// Beside each screen stands an initialiser that joins it to the services it needs, so there are as many extensions as
/// screens.
public actor ScreenModel<S: Screen> {
    /// The screen as it stands.
    public private(set) var state: S
    private let perform: @Sendable (S.Effect) async -> S.Input?

    /// Starts from a state.
    ///
    /// - Parameter perform: does one effect; answers with the input it leads to, or `nil` for none.
    public init(_ state: S, perform: @escaping @Sendable (S.Effect) async -> S.Input?) {
        self.state = state
        self.perform = perform
    }

    /// Applies an input and everything it leads to; returns when nothing is left to do.
    ///
    /// - Returns: the state afterwards.
    @discardableResult
    public func send(_ input: S.Input) async -> S {
        let perform = perform
        var effects = state.apply(input)
        await withTaskGroup(of: S.Input?.self) { group in
            repeat {
                for effect in effects { group.addTask { await perform(effect) } }
                effects = []
                if let answer = await group.next(), let input = answer {
                    effects = state.apply(input)
                }
            } while !effects.isEmpty || !group.isEmpty
        }
        return state
    }
}
