internal import ViewModels

/// What tells this machine's place, and whether it works.
struct PlaceSettings {
    let form: PlaceForm
    let problem: String?
    /// What came of looking once.
    let outcome: String?
    let offersGeoClue: Bool
    /// Whether a place that does not move is kept.
    let hasPlace: Bool
    let canLook: Bool
    let isSaved: Bool
    let isForgotten: Bool

    fileprivate var choices: [PlaceSource.Sort] {
        PlaceSource.Sort.allCases.filter { $0 != .geoClue || offersGeoClue }
    }
}

/// The page of what tells this machine's place.
func placeSettingsView(_ settings: PlaceSettings, _ token: FormToken) -> HTML {
    let form = settings.form
    return """
        <div class="head"><a class="back" href="/settings" aria-label="Settings">\(icon(.back))</a><h1>This machine's place</h1></div>
        \(if: settings.isSaved, "<p class=\"strip\" role=\"status\">Saved.</p>")\(if: settings.isForgotten, "<p class=\"strip\" role=\"status\">The place is forgotten.</p>")\(some: settings.outcome, { "<p class=\"strip\" role=\"status\">\($0)</p>" })
        <form class="sheet" method="post" action="/settings/place">\(token.field)
        \(problemPlace(settings.problem))
        <fieldset class="choices stacked"><legend>Where this machine's location comes from</legend>\(each: settings.choices, { choice in
            sourceChoice(choice, isChosen: choice == form.choice)
        })</fieldset>
        <p class="hint">It is asked only while a circle you share your location with needs it.</p>
        <div class="field"><label for="address">Address of gpsd</label><input id="address" name="address" value="\(form.address)" maxlength="300" placeholder="127.0.0.1:2947" autocomplete="off" spellcheck="false"></div>
        <div class="field"><label for="file">GPX file on this machine</label><input id="file" name="file" value="\(form.file)" maxlength="1000" placeholder="/home/you/way.gpx" autocomplete="off" spellcheck="false"></div>
        <div class="field"><label for="place">Latitude and longitude of the place that does not move</label><input id="place" name="place" value="\(form.place)" maxlength="60" placeholder="52.5163 13.3777" autocomplete="off" spellcheck="false" aria-describedby="place-hint"><span class="hint" id="place-hint">\(if: settings.hasPlace, "One is kept; leave this empty to keep it.", else: "None is kept for this account.")</span></div>
        <p class="sheet-end"><button class="button">Save</button></p></form>
        \(if: settings.canLook, lookForm(token, hasPlace: settings.hasPlace))
        """
}

private func sourceChoice(_ choice: PlaceSource.Sort, isChosen: Bool) -> HTML {
    let (label, hint) = PlaceWords.source(choice)
    return """
        <label class="choice"><input type="radio" name="source" value="\(choice.rawValue)"\(flag: "checked", if: isChosen)><span class="choice-label">\(label)</span><span class="hint">\(hint)</span></label>
        """
}

private func lookForm(_ token: FormToken, hasPlace: Bool) -> HTML {
    """
    <form class="sheet" method="post" action="/settings/place/look">\(token.field)<h2>Does it work?</h2><p>Looks up this machine's location once, for ten seconds at most. Nobody is told.</p><p class="sheet-end"><button class="button quiet">Look now</button>\(if: hasPlace, "<button class=\"button quiet\" formaction=\"/settings/place/forget\">Forget the entered place</button>")</p></form>
    """
}
