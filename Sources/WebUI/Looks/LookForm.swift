internal import ViewModels

extension Look {
    /// Whose accent pages have.
    enum AccentChoice: String, CaseIterable {
        case theme, own
    }

    /// What a form chose; what it does not name stays as it was.
    ///
    /// - Throws: a sentence about a value that is none of the choices, or no colour.
    init(_ form: Form, before: Look) throws(Trouble) {
        self = before
        theme = try Self.chosen("theme", in: form) ?? theme
        scheme = try Self.chosen("scheme", in: form) ?? scheme
        textSize = try Self.chosen("text", in: form) ?? textSize
        motion = try Self.chosen("motion", in: form) ?? motion
        let choice: AccentChoice? = try Self.chosen("accent", in: form)
        switch choice {
        case .theme: accent = nil
        case .own:
            guard let colour = Colour(form["colour"]) else { throw Trouble(LookWords.notAColour, canRetry: false) }
            accent = colour
        case nil: break
        }
    }

    private static func chosen<Choice: RawRepresentable<String>>(
        _ name: String, in form: Form
    ) throws(Trouble) -> Choice? {
        guard form.has(name) else { return nil }
        guard let choice = Choice(rawValue: form[name]) else { throw Trouble(LookWords.notOffered, canRetry: false) }
        return choice
    }
}
