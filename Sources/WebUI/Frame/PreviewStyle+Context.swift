internal import NostrClient
internal import ViewModels

extension PreviewStyle {
    /// Reads what the person of the open account chose; `nil` where nothing is previewed.
    init?(_ context: WebContext) {
        guard let source = context.session?.account?.previews, context.personal.linkPreviews != .never else {
            return nil
        }
        self.init(whose: context.personal.linkPreviews, source: source)
    }
}
