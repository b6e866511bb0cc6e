internal import ViewModels

/// How pages look, and what there is to choose.
struct LookView {
    let look: Look
    /// Whether the pages before a login were given the same look.
    let isBeforeLogin: Bool
    /// What was wrong with what was chosen; then nothing was kept.
    let problem: String?
}

/// The form in which a person chooses how pages look.
func lookChoices(_ view: LookView, _ token: FormToken) -> HTML {
    let look = view.look
    let accent: Look.AccentChoice = look.accent == nil ? .theme : .own
    return """
        <form class="sheet" method="post" action="/settings/look" aria-labelledby="look-title">\(token.field)
        <h2 id="look-title">How it looks</h2>
        \(problemPlace(view.problem))
        <fieldset class="choices"><legend>Light or dark</legend>\(each: Look.Scheme.allCases, {
            settingsChoice("scheme", value: $0.rawValue, label: "\($0.label)", isChosen: $0 == look.scheme)
        })</fieldset>
        <fieldset class="choices look-themes"><legend>Theme</legend>\(each: Look.Theme.allCases, {
            settingsChoice(
                "theme", value: $0.rawValue, label: "\($0.label)\(swatch(of: $0))", isChosen: $0 == look.theme)
        })</fieldset>
        <fieldset class="choices look-accent"><legend>Accent</legend>\(each: Look.AccentChoice.allCases, {
            settingsChoice("accent", value: $0.rawValue, label: label(of: $0), isChosen: $0 == accent)
        })<label class="choice look-colour"><input type="color" name="colour" value="\((look.accent ?? suggested).text)"><span class="choice-label">Your accent</span></label></fieldset>
        \(some: LookWords.adjusted(on: look.adjustedGrounds), { "<p class=\"hint\" role=\"status\">\($0)</p>" })
        <fieldset class="choices"><legend>Size of text</legend>\(each: Look.TextSize.allCases, {
            settingsChoice("text", value: $0.rawValue, label: "\($0.label)", isChosen: $0 == look.textSize)
        })</fieldset>
        <fieldset class="choices"><legend>Motion</legend>\(each: Look.Motion.allCases, {
            settingsChoice("motion", value: $0.rawValue, label: "\($0.label)", isChosen: $0 == look.motion)
        })</fieldset>
        <label class="check"><input type="checkbox" name="login"\(flag: "checked", if: view.isBeforeLogin)>Also on this machine's pages before anybody is logged in</label>
        <p class="sheet-end"><button class="button">Save the look</button></p>
        </form>
        """
}

/// What the field of the accent begins with.
private let suggested = Colour(rgb: 0xFF9800)

private func label(of choice: Look.AccentChoice) -> HTML {
    switch choice {
    case .theme: "The theme's"
    case .own: "Your own"
    }
}

/// The paper and the accent of a theme, light and dark.
private func swatch(of theme: Look.Theme) -> HTML {
    let (light, dark) = (
        ThemePalette(of: Look(theme: theme), on: .light), ThemePalette(of: Look(theme: theme), on: .dark)
    )
    return """
        <svg class="swatch" viewBox="0 0 48 20" aria-hidden="true">\(half(light, 0))\(half(dark, 24))</svg>
        """
}

private func half(_ palette: ThemePalette, _ left: Int) -> HTML {
    """
    <rect x="\(left)" width="24" height="20" fill="\(palette.paper.text)"/><circle cx="\(left + 12)" cy="10" r="5" fill="\(palette.accent.text)"/>
    """
}
