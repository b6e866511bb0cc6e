internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// Reads a form with files, which go to disk as they come.
///
/// The form's token comes first: nothing of a strange form reaches the disk.
struct FormWithFiles {
    /// The most files of a form, and how large each and all may be.
    private static let mostFiles = 20
    private static let largestFile: Int64 = 512 << 20
    private static let largestForm: Int64 = 1 << 30
    /// Where forms may bring files.
    private static let paths: Set = ["/files", "/compose", "/profile/edit"]

    private let boundary: String
    private let token: FormToken
    private let files: (any FileKeeping)?

    /// Looks whether a request is such a form; `nil` for any other.
    init?(_ request: Request, _ context: WebContext) throws {
        guard Self.paths.contains(request.uri.path),
            let boundary = request.headers[.contentType].flatMap(Form.boundary)
        else { return nil }
        let session = try context.requireSession()
        self.boundary = boundary
        token = session.formToken
        files = session.account?.files
        let length = request.headers[.contentLength].flatMap { Int64($0) } ?? 0
        guard length <= Self.largestForm else {
            throw HTTPError(.contentTooLarge, message: FileWords.tooLarge)
        }
    }

    /// What is being read.
    private struct Reading {
        var form = Form()
        var files: [ArrivedFile] = []
        var part: MultipartReader.Part?
        var text: [UInt8] = []
        var textSize = 0
    }

    /// Reads all of it.
    func read(_ request: Request) async throws -> (Form, [ArrivedFile]) {
        var reading = Reading()
        let tooLarge = HTTPError(.contentTooLarge, message: FileWords.tooLarge)
        try await readParts(request, boundary: boundary, most: Self.largestForm, otherwise: tooLarge) { piece in
            try await receive(piece, &reading)
        }
        try check(reading)
        return (reading.form, reading.files)
    }

    private func receive(_ piece: MultipartReader.Piece, _ reading: inout Reading) async throws {
        switch piece {
        case .part(let part):
            reading.part = part
            reading.text = []
            // Names are kept, too.
            reading.textSize += part.name.utf8.count
            guard reading.textSize <= FormGuard.largestForm else {
                throw HTTPError(.contentTooLarge, message: FileWords.tooLarge)
            }
            guard let name = part.fileName, !name.isEmpty else { return }
            try check(reading)
            guard reading.files.count < Self.mostFiles else {
                throw HTTPError(.contentTooLarge, message: FileWords.tooMany)
            }
            guard let files else { throw HTTPError(.forbidden, message: FileWords.none) }
            let intake = try await troubled { try await files.intake() }
            reading.files.append(ArrivedFile(field: part.name, name: name, type: part.type, intake: intake))
        case .bytes(let bytes): try receive(bytes, &reading)
        case .end:
            guard let part = reading.part else { return }
            reading.part = nil
            // A field of files in which none was chosen is none.
            guard part.fileName == nil else { return }
            reading.form.add(part.name, text: reading.text)
        }
    }

    private func receive(_ bytes: [UInt8], _ reading: inout Reading) throws {
        guard let part = reading.part else { return }
        guard let name = part.fileName else {
            reading.textSize += bytes.count
            guard reading.textSize <= FormGuard.largestForm else {
                throw HTTPError(.contentTooLarge, message: TroubleWords.fileTooLarge)
            }
            reading.text += bytes
            return
        }
        guard !name.isEmpty, let file = reading.files.last else { return }
        guard file.intake.size + Int64(bytes.count) <= Self.largestFile else {
            throw HTTPError(.contentTooLarge, message: FileWords.tooLarge)
        }
        do { try file.intake.write(bytes) } catch {
            throw HTTPError(.init(code: 507), message: FileWords.noRoom)
        }
    }

    /// Holds that the form came from a page of this session.
    private func check(_ reading: Reading) throws {
        guard token.isCarried(by: reading.form["csrf"]) else {
            throw HTTPError(.forbidden, message: TroubleWords.oldForm)
        }
    }
}
