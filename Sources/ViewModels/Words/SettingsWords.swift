/// What the page of settings says.
package enum SettingsWords {
    package static let unreadable = "The settings on this machine could not be read, so none was changed."
    package static let noHandler = "This is not a web address: those begin with https://."
}

extension PersonalSettings.RemoteMedia {
    /// What it is called in a choice.
    public var label: String {
        switch self {
        case .never: "Never"
        case .follows: "From people you follow"
        case .always: "Always"
        }
    }

    /// What choosing it means.
    public var hint: String {
        switch self {
        case .never: "Nothing is loaded from elsewhere. People are shown with drawn feathers."
        case .follows: "Servers they chose learn your address when you see a picture."
        case .always: "Any server a note names learns your address when you see the note."
        }
    }

    /// What choosing it means for previews of links.
    public var previewHint: String {
        switch self {
        case .never: "Links are shown as links. No site is asked."
        case .follows: "Sites they link to learn the address of the machine Linnet runs on when you see the note."
        case .always: "Any site a note links to learns the address of the machine Linnet runs on when you see the note."
        }
    }
}
