/// How pages look, by a person's choice.
public struct Look: Codable, Hashable, Sendable {
    /// The colours of pages as a whole.
    public enum Theme: String, Codable, Hashable, Sendable, CaseIterable {
        /// Chestnut, rose and paper.
        case linnet
        case nord, dracula, gruvbox, monochrome
    }

    /// Light or dark.
    public enum Scheme: String, Codable, Hashable, Sendable, CaseIterable {
        /// As the browser says.
        case system
        case light, dark
    }

    /// How large text is.
    public enum TextSize: String, Codable, Hashable, Sendable, CaseIterable {
        case normal, large
    }

    /// How much moves.
    public enum Motion: String, Codable, Hashable, Sendable, CaseIterable {
        /// As the browser says.
        case system
        /// Nothing that need not.
        case less
    }

    /// The colours as a whole.
    public var theme: Theme
    /// Light or dark.
    public var scheme: Scheme
    /// The person's own accent, made darker or lighter where it cannot be read; nil for the theme's.
    public var accent: Colour?
    /// How large text is.
    public var textSize: TextSize
    /// How much moves.
    public var motion: Motion

    /// What holds before a person chose.
    public init(
        theme: Theme = .linnet, scheme: Scheme = .system, accent: Colour? = nil, textSize: TextSize = .normal,
        motion: Motion = .system
    ) {
        self.theme = theme
        self.scheme = scheme
        self.accent = accent
        self.textSize = textSize
        self.motion = motion
    }
}

extension Look {
    /// Reads what was kept; a choice that only another version knows is as if it had not been made.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        // One choice that cannot be read must not cost the others.
        self.init(
            theme: (try? kept.decode(Theme.self, forKey: .theme)) ?? .linnet,
            scheme: (try? kept.decode(Scheme.self, forKey: .scheme)) ?? .system,
            accent: try? kept.decode(Colour.self, forKey: .accent),
            textSize: (try? kept.decode(TextSize.self, forKey: .textSize)) ?? .normal,
            motion: (try? kept.decode(Motion.self, forKey: .motion)) ?? .system)
    }

    /// Whether pages are light, dark, or both in turn.
    package var grounds: [ThemePalette.Ground] {
        switch scheme {
        case .system: [.light, .dark]
        case .light: [.light]
        case .dark: [.dark]
        }
    }

    /// On which of them the person's own accent cannot be read as it is.
    package var adjustedGrounds: [ThemePalette.Ground] {
        guard let accent else { return [] }
        return grounds.filter { ThemePalette(of: self, on: $0).chestnut != accent }
    }
}
