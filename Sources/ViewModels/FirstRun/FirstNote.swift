public import NostrClient

/// The first note of somebody who is new: it begins with a topic under which people welcome newcomers.
public struct FirstNote: Equatable, Sendable {
    /// What was filled in.
    public let text: String
    /// What is wrong with it.
    public let problem: String?
    /// What is to be published; `nil` where something is wrong.
    public let composed: ComposeState?

    /// An open page.
    public init() {
        text = FirstRunWords.introduction
        (problem, composed) = (nil, nil)
    }

    /// Hands what was written over to be published, unless there is no word besides topics.
    public init(_ text: String, of account: any Account) async {
        self.text = text
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.contains(where: { !$0.hasPrefix("#") }) else {
            (problem, composed) = (FirstRunWords.nothingWritten, nil)
            return
        }
        let state = await ScreenModel<ComposeState>(of: account).send(.publish(ComposeState.Draft(text: text)))
        problem = state.problem
        composed = state.handedOver == nil ? nil : state
    }
}
