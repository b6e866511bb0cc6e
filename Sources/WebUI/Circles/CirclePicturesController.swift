internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The pictures that rest in the vault, for browsers of the account they were sent to.
struct CirclePicturesController {
    /// What stands for the circle itself where a member's key stands.
    static let circleWord = "circle"

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/circles/:id/pictures/:whom/:version", use: picture)
    }

    @Sendable private func picture(_ request: Request, _ context: WebContext) async throws -> Response {
        let (whom, file) = (try context.parameters.require("whom"), try context.parameters.require("version"))
        guard let id = circleName(try context.parameters.require("id")) else {
            throw HTTPError(.notFound, message: CircleWords.noCircleName)
        }
        // Nobody of that name shows a picture.
        let person = try? PublicKey(hex: whom)
        guard file.hasSuffix(".jpg"), person != nil || whom == Self.circleWord else { throw noPicture }
        let picture = CirclePictureItem(person: person, version: String(file.dropLast(4)))
        let actions = CircleActions(of: try context.requireAccount())
        guard let bytes = try await actions.picture(picture, in: id) else { throw noPicture }
        // What it is its own bytes say: nothing but a picture is given out.
        let sort = FileSort(of: bytes)
        guard sort.isPicture else { throw noPicture }
        return Response(
            status: .ok,
            headers: [
                .contentType: sort.type, .xContentTypeOptions: "nosniff",
                // It came sealed and rests sealed, so it stays out of a browser's cache.
                .cacheControl: "no-store",
            ],
            body: .init(byteBuffer: .init(bytes: bytes)))
    }
}

private let noPicture = HTTPError(.notFound, message: CircleWords.noPicture)

extension Form {
    /// The picture that was chosen; nil to take away the one there is.
    ///
    /// - Throws: a ``Trouble`` where neither was said.
    func chosenPicture() throws(Trouble) -> [UInt8]? {
        if has("none") { return nil }
        guard let file = Base64.decode(self["file"]), !file.isEmpty else {
            throw Trouble(CircleWords.choosePicture, canRetry: false)
        }
        return file
    }
}
