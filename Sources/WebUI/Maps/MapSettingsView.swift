internal import ViewModels

/// Where pictures of maps come from, and what is kept of them.
struct MapSettings {
    let source: MapSource?
    let problem: String?
    /// Bytes kept on this machine.
    let size: Int
    let hasLeaflet: Bool
    /// How far the keeping of a part has come; `nil` while nothing was asked for.
    let progress: MapProgress?
    let isSaved: Bool
    let isCleared: Bool
}

/// The page of where pictures of maps come from.
func mapSettingsView(_ settings: MapSettings, _ token: FormToken) -> HTML {
    """
    <div class="head"><a class="back" href="/settings" aria-label="Settings">\(icon(.back))</a><h1>Maps</h1></div>
    \(if: settings.isSaved, "<p class=\"strip\" role=\"status\">Saved.</p>")\(if: settings.isCleared, "<p class=\"strip\" role=\"status\">All kept pictures of maps are deleted.</p>")
    <form class="sheet" method="post" action="/settings/map">\(token.field)<h2>Where pictures of maps come from</h2>
    \(problemPlace(settings.problem))
    <p class="hint" id="map-hint">Without a source maps are drawn without streets, and nobody is asked. With one, Linnet fetches the pictures itself: their server sees this machine's address and which parts are looked at, but no page, no cookie and no name.</p>
    \(if: !settings.hasLeaflet, "<p class=\"hint\">Leaflet, which shows the pictures, is not installed: on Debian it is the package libjs-leaflet.</p>")
    <div class="field"><label for="template">Address of the tiles</label><input id="template" name="template" value="\(settings.source?.template ?? "")" maxlength="500" placeholder="https://tiles.example/{z}/{x}/{y}.png" autocomplete="off" spellcheck="false" inputmode="url" aria-describedby="map-hint"></div>
    <div class="field"><label for="attribution">Attribution</label><input id="attribution" name="attribution" value="\(settings.source?.attribution ?? "")" maxlength="200" autocomplete="off" placeholder="© OpenStreetMap contributors" aria-describedby="attribution-hint"><p class="hint" id="attribution-hint">What the source wants to be named as. It stands on the map.</p></div>
    <div class="field"><label for="zoom">Maximum zoom</label><input id="zoom" name="zoom" type="number" min="0" max="22" value="\(settings.source?.maxZoom ?? 19)" inputmode="numeric"></div>
    <p class="sheet-end"><button class="button">Save</button></p></form>
    <section class="sheet" aria-labelledby="kept-title"><h2 id="kept-title">Kept for when there is no network</h2><p>\(MapWords.size(settings.size)) of pictures are kept on this machine. Whoever can read its disk can see which places they show.</p>\(some: settings.progress, { "<p role=\"status\">\($0.words)</p>" })<form method="post" action="/settings/map/clear" class="sheet-end">\(token.field)\(if: settings.progress?.isGoingOn == true, "<button class=\"button quiet\" formaction=\"/map/region/stop\">Stop fetching</button>")<button class="button quiet"\(flag: "disabled", if: settings.size == 0)>Delete them</button></form></section>
    """
}
