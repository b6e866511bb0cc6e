internal import NostrClient
internal import NostrCore
internal import ViewModels

/// The files of a note that is being written: those that came with the form, and those a script brought before.
struct NoteFiles {
    /// What the note says of each that is there.
    var attachments: [Tag] = []
    /// What is wrong; `nil` where all are there.
    var problem: String?
    /// Those that are not there yet.
    var left: [UploadItem] = []

    /// Takes up what came, and waits for it.
    ///
    /// - Parameter waits: whether those still on their way are waited for.
    static func read(from context: WebContext, waits: Bool) async throws -> NoteFiles {
        let form = context.form
        let account = try context.requireAccount()
        var ids: [String] = []
        for (place, id) in uploading(form) {
            ids.append(id)
            let words = form["alt-\(place)"]
            guard !words.isEmpty, let files = account.files else { continue }
            try await troubled { try await files.describe(id, as: words) }
        }
        let arrived = context.files.filter { $0.field == "upload" || $0.field == "camera" }
        let words = form["upload-alt"]
        do throws(Trouble) {
            if !arrived.isEmpty {
                ids += try await NewFiles.add(
                    arrived.map { NewFiles.Chosen($0, description: words) }, of: account
                ).map(\.id)
            }
            let outcome = try await NewFiles.outcome(of: ids, of: account, waits: waits)
            return NoteFiles(attachments: outcome.attachments, problem: outcome.problem, left: outcome.left)
        } catch {
            return NoteFiles(problem: error.sentence)
        }
    }

    /// The names of uploads that a form carried, in their order.
    private static func uploading(_ form: Form) -> [(place: Int, id: String)] {
        let found = form.all.compactMap { field -> (place: Int, id: String)? in
            guard field.name.hasPrefix("uploading-"), let place = Int(field.name.dropFirst("uploading-".count)),
                field.value.utf8.count <= 64
            else { return nil }
            return (place: place, id: field.value)
        }
        return Array(found.sorted { $0.place < $1.place }.prefix(20))
    }
}

/// Files to be brought with a note; a script brings them at once, and shows how far they are.
///
/// - Parameter left: those that were chosen before and are not there yet.
func newFileFields(_ left: [UploadItem]) -> HTML {
    """
    <fieldset class="new-files"><legend>Pictures and files</legend>
    <div class="field"><label for="upload">Add files</label><input id="upload" name="upload" type="file" accept="image/*,video/*,audio/*" multiple></div>
    <label class="button quiet camera">\(icon(.camera))<span>Take a picture</span><input name="camera" type="file" accept="image/*" capture="environment"></label>
    <div class="field" data-plain-alt><label for="upload-alt">What can be seen or heard in it</label><input id="upload-alt" name="upload-alt" maxlength="1000" dir="auto"></div>
    <ol class="plain uploads" data-uploads>\(each: Array(left.enumerated()), { entry in
        let item = entry.element
        return """
            <li class="upload" data-id="\(item.id)" data-standing="\(item.standing.rawValue)" data-name="\(item.name)">\(uploadField(item, at: 1000 + entry.offset))<span class="upload-name">\(item.name)</span> <span class="hint">\(item.size)</span><p class="\(if: item.standing == .failed, "problem", else: "hint")" data-words>\(item.words)</p><div class="upload-acts"></div></li>
            """
    })</ol>
    </fieldset>
    """
}

private func uploadField(_ item: UploadItem, at place: Int) -> HTML {
    """
    <label class="check"><input type="checkbox" name="uploading-\(place)" value="\(item.id)"\(flag: "checked", if: item.standing == .waiting)><span>Wait for \(item.name)</span></label><label class="visually-hidden" for="alt-\(item.id)">What can be seen or heard in \(item.name)</label><input id="alt-\(item.id)" name="alt-\(place)" value="\(item.description)" placeholder="What can be seen or heard" maxlength="1000" dir="auto">
    """
}
