internal import NostrCore
internal import ViewModels

/// The map of a circle, and what stands around it.
struct CircleMap {
    let state: CircleState
    let item: CircleItem
    let map: CircleMapItem
    /// Where pictures of the map come from; `nil` where it is drawn without.
    let tiles: MapSource?
    let problem: String?
    let token: FormToken
    let now: Timestamp

    fileprivate var path: Path { "/circles/\(item.word)" }
}

/// The page of a circle's map.
func circleMapView(_ map: CircleMap, head: HTML) -> HTML {
    """
    <div class="talk">
    \(head)
    <div class="circle-map">
    \(problemPlace(map.problem))
    <div data-circle-sharing>\(if: map.item.isMember, sharingView(map.map.sharing, map.path, map.token, now: map.now))</div>
    \(mapView(map))
    \(if: map.tiles != nil, """
        <form class="map-keep" method="post" action="/map/region" data-keep-map hidden>\(map.token.field)<button class="button quiet small">Keep this part for when there is no network</button> <span class="hint" role="status"></span></form>
        """)
    <div class="circle-more" data-circle-notices>\(if: !map.map.notices.isEmpty, noticesSection(map))</div>
    <details class="circle-more"><summary>Places and trails</summary>
    \(placesSection(map))
    \(trailsSection(map))
    <p class="hint"><a href="/settings/map">Where pictures of the map come from</a></p>
    </details>
    </div>
    </div>
    """
}

/// The map: pins for its script, and the same in words for everybody.
private func mapView(_ map: CircleMap) -> HTML {
    """
    <script type="application/json" id="pins">\(pins(map.state, map.map, now: map.now))</script><div class="map" data-pins="pins" data-circle-map="\(map.state.word)" data-path="\(map.path)/map"\(some: map.tiles, tileAttributes)><ul class="map-people" data-people aria-label="People">\(each: map.state.members, { member in
        """
        <li class="map-person" data-pin="\(member.person.key.hex)">\(ConversationWords.author(isOwn: member.isOwn, member.name)): \(member.placeWords { spoken($0, now: map.now) })</li>
        """
    })</ul></div>
    """
}

private func tileAttributes(_ source: MapSource) -> HTML {
    """
     data-tiles="/map/tiles/{z}/{x}/{y}" data-leaflet="/map/leaflet/leaflet.js" data-max-zoom="\(source.maxZoom)" data-attribution="\(source.attribution)"
    """
}

private func noticesSection(_ map: CircleMap) -> HTML {
    """
    <section aria-labelledby="lately"><h2 id="lately">Lately</h2><ul class="circle-notices">\(each: map.map.notices.prefix(8), { notice in
        """
        <li>\(notice.sentence) <time class="hint" datetime="\(utc(notice.at))">\(spoken(notice.at, now: map.now))</time></li>
        """
    })</ul></section>
    """
}

private func placesSection(_ map: CircleMap) -> HTML {
    """
    <section aria-labelledby="places"><h2 id="places">Places</h2><p class="hint">Linnet tells you when somebody comes there or leaves. Nobody else learns of these places.</p>\(if: !map.map.places.isEmpty, "<ul class=\"circle-people\">\(each: map.map.places, { placeView($0, map) })</ul>")
    <form class="circle-form" method="post" action="\(map.path)/places">\(map.token.field)<div class="field"><label for="place-name">Name</label><input id="place-name" name="name" maxlength="60" required autocomplete="off"></div><div class="field"><label for="place-where">Where</label><select id="place-where" name="where">\(each: map.state.members, knownPlace)<option value="">At the latitude and longitude below</option></select></div><div class="circle-pair"><div class="field"><label for="place-lat">Latitude</label><input id="place-lat" name="lat" inputmode="decimal" autocomplete="off"></div><div class="field"><label for="place-lon">Longitude</label><input id="place-lon" name="lon" inputmode="decimal" autocomplete="off"></div></div><div class="field"><label for="place-radius">How far around, in metres</label><input id="place-radius" name="radius" type="number" min="50" max="50000" value="150" inputmode="numeric"></div><p><button class="button quiet small">Name this place</button></p></form></section>
    """
}

private func placeView(_ place: NamedPlaceItem, _ map: CircleMap) -> HTML {
    """
    <li class="circle-person"><span class="circle-words"><span dir="auto">\(place.name)</span> <span class="hint">within \(place.radius) m</span></span><form method="post" action="\(map.path)/places/forget">\(map.token.field)\(hidden("place", place.id))<button class="button quiet small" aria-label="Forget \(place.name)">Forget</button></form></li>
    """
}

private func knownPlace(_ member: CircleMemberItem) -> HTML {
    guard let place = member.place else { return HTML() }
    return """
        <option value="\(place.latitude) \(place.longitude)">\(PlaceWords.known(isOwn: member.isOwn, member.name))</option>
        """
}

private func trailsSection(_ map: CircleMap) -> HTML {
    let choices: [Int?] = [nil, 1, 7, 30]
    return """
        <section aria-labelledby="trails"><h2 id="trails">Trails</h2><form class="circle-form" method="post" action="\(map.path)/trails">\(map.token.field)<div class="field"><label for="trail-days">Keep here where the others have been</label><select id="trail-days" name="days">\(each: choices, { days in
            option(days.map(String.init) ?? "", PlaceWords.trailDays(days), isChosen: days == map.map.trailDays)
        })</select></div><p class="hint">Only on this machine, encrypted; choosing no deletes what was kept.</p><p><button class="button quiet small">Save</button></p></form></section>
        """
}
