internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The pictures that rest in the vault, for whoever is signed in to the account they were sent to.
func addCirclePictures(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/circles/:id/pictures/:whom/:version") { _, context in
        let id = try circleID(context)
        let (whom, file) = (try context.parameters.require("whom"), try context.parameters.require("version"))
        // Nobody of that name shows a picture.
        let person = try? PublicKey(hex: whom)
        guard file.hasSuffix(".jpg"), person != nil || whom == ownPictureWord else { throw noPicture }
        let picture = CirclePictureItem(person: person, version: String(file.dropLast(4)))
        guard let jpeg = try await (try context.requireDesk()).circlePicture(picture, in: id) else { throw noPicture }
        return Response(
            status: .ok,
            headers: [
                .contentType: "image/jpeg", .xContentTypeOptions: "nosniff",
                // The address names one picture for ever; a browser that is shared forgets it within a day.
                .cacheControl: "private, max-age=86400, immutable",
            ],
            body: .init(byteBuffer: .init(bytes: jpeg)))
    }
}

private let noPicture = HTTPError(.notFound, message: "There is no such picture here.")

/// What stands for the circle itself where a member's key stands.
private let ownPictureWord = "circle"

/// Where a picture lies: the address is another one for every picture.
func address(of picture: CirclePictureItem, in word: String) -> String {
    "/circles/\(word)/pictures/\(picture.person?.hex ?? ownPictureWord)/\(picture.version).jpg"
}

/// Where the pictures lie that people show in a circle.
func shownPictures(_ item: CircleItem) -> [PublicKey: String] {
    item.avatars.mapValues { address(of: $0, in: item.word) }
}

/// How people look within a circle.
func circleStyle(_ item: CircleItem?, _ house: House, _ context: WebContext) -> NoteStyle {
    var style = house.noteStyle(context)
    style.shown = item.map(shownPictures) ?? [:]
    return style
}

extension Form {
    /// The picture that was chosen; nil to take away the one there is.
    ///
    /// - Throws: a ``Trouble`` where neither was said.
    func chosenPicture() throws(Trouble) -> [UInt8]? {
        if has("none") { return nil }
        guard let file = Base64.decode(self["file"]), !file.isEmpty else {
            throw Trouble("Choose a picture first.", canRetry: false)
        }
        return file
    }
}
