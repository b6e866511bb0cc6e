/// What pages say about how they look.
package enum LookWords {
    package static let notOffered = "That is not one of the looks to choose from. Nothing was changed."
    package static let notAColour = "That is not a colour. A colour looks like #ff9800. Nothing was changed."

    /// What was done about an accent that cannot be read as it is; `nil` where it can.
    package static func adjusted(on grounds: [ThemePalette.Ground]) -> String? {
        switch (grounds.contains(.light), grounds.contains(.dark)) {
        case (true, true): "Your accent is hard to read, so it is darker on light pages and lighter on dark ones."
        case (true, false): "Your accent is hard to read on light pages, so it is darker there."
        case (false, true): "Your accent is hard to read on dark pages, so it is lighter there."
        case (false, false): nil
        }
    }
}

extension Look.Theme {
    /// What it is called in a choice.
    public var label: String {
        switch self {
        case .linnet: "Linnet"
        case .nord: "Nord"
        case .dracula: "Dracula"
        case .gruvbox: "Gruvbox"
        case .monochrome: "Monochrome"
        }
    }
}

extension Look.Scheme {
    /// What it is called in a choice.
    public var label: String {
        switch self {
        case .system: "System"
        case .light: "Light"
        case .dark: "Dark"
        }
    }
}

extension Look.TextSize {
    /// What it is called in a choice.
    public var label: String {
        switch self {
        case .normal: "Normal"
        case .large: "Large"
        }
    }
}

extension Look.Motion {
    /// What it is called in a choice.
    public var label: String {
        switch self {
        case .system: "System setting"
        case .less: "Less"
        }
    }
}
