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
}
