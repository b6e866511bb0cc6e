internal import NostrCore
internal import ViewModels

/// One line that says how much of what relays hold is here, and leads to what each of them gave.
func completenessLine(_ item: CompletenessItem?, now: Timestamp) -> HTML {
    guard let item else { return HTML() }
    return """
        <p class="hint" data-complete="\(truth(item.isComplete))"><a href="/relays">\(item.sentence)</a>\(some: item.since, { " Asked for from \(moment($0, now: now)) on." })\(some: item.heardUntil, { " All they held until \(moment($0, now: now)) is here." })</p>
        """
}
