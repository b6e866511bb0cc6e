internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The members of a circle and its named places, as the map's script reads them: JSON for a script element of data.
func pins(_ state: CircleState, _ map: CircleMapItem, now: Timestamp) -> HTML {
    let places = map.places.map { place in
        JSONValue.object([
            JSONMember("name", .string(place.name)), JSONMember("lat", number(place.latitude)),
            JSONMember("lon", number(place.longitude)), JSONMember("radius", .number("\(place.radius)")),
        ])
    }
    let pins = state.members.map { pin($0, trail: map.trails[$0.person.key], in: state.word, now: now) }
    return HTML(json: .object([JSONMember("pins", .array(pins)), JSONMember("places", .array(places))]))
}

private func pin(_ member: CircleMemberItem, trail: [[Double]]?, in word: String, now: Timestamp) -> JSONValue {
    let own: Path = "/avatar/\(member.person.key).svg"
    var pin = [
        JSONMember("key", .string(member.person.key.hex)), JSONMember("name", .string(member.name)),
        JSONMember("picture", .string((member.picture.map { picturePath($0, in: word) } ?? own).text)),
        JSONMember("isSelf", .bool(member.isOwn)),
    ]
    guard let place = member.place else {
        pin += [JSONMember("lat", .null), JSONMember("lon", .null), JSONMember("state", .string("nofix"))]
        pin.append(JSONMember("words", .string(member.whyNone)))
        return .object(pin)
    }
    pin += [
        JSONMember("lat", number(place.latitude)), JSONMember("lon", number(place.longitude)),
        JSONMember("accuracy", number(place.accuracy)),
        JSONMember("age", .number("\(max(0, now.seconds - place.sentAt.seconds))")),
        JSONMember("sentAt", .number("\(place.sentAt.seconds)")), JSONMember("state", .string(place.state)),
        JSONMember("words", .string([place.words, member.placeDoubt].filter { !$0.isEmpty }.joined(separator: ", "))),
    ]
    if let end = place.freshUntil {
        pin.append(JSONMember("freshFor", .number("\(max(0, end.seconds - now.seconds))")))
    }
    if let battery = place.battery { pin.append(JSONMember("battery", .number("\(battery)"))) }
    if let trail { pin.append(JSONMember("trail", .array(trail.map { .array($0.map(number)) }))) }
    return .object(pin)
}

private func number(_ value: Double) -> JSONValue { .number("\(value)") }
