internal import ViewModels

/// What tells a person from others of the same name: the Nostr address that was checked, marked as such, or the key.
func handleView(_ person: PersonItem) -> HTML {
    guard person.address?.isChecked == true else { return "\(person.handle)" }
    return "<span class=\"checked-handle\">\(icon(.check, label: "Checked"))\(person.handle)</span>"
}
