internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The files of a note that is being written, and adding one by its address.
///
/// - Parameters:
///   - left: files that were chosen and are not there yet; `nil` where none can be uploaded.
///   - hasGifs: whether GIFs are looked for.
func attachmentFields(_ state: ComposeState, left: [UploadItem]?, hasGifs: Bool) -> HTML {
    let draft = state.draft
    let isNew = state.replyTo == nil && state.quote == nil
    return """
        \(fileChoices(draft.attachments))\(some: left, newFileFields)\(if: hasGifs, "<p class=\"gif-door\"><button class=\"button quiet small\" name=\"do\" value=\"gif\">Add a GIF</button></p>")
        <details class="attach"\(flag: "open", if: !draft.fileAddress.isEmpty)><summary>Add a picture, film or sound by its address</summary>
        <div class="field"><label for="file">Its address</label><input id="file" name="file" type="text" inputmode="url" autocomplete="off" spellcheck="false" placeholder="https://" value="\(draft.fileAddress)" maxlength="2048"></div>
        <div class="field"><label for="file-words">What can be seen or heard in it</label><input id="file-words" name="file-words" value="\(draft.fileDescription)" maxlength="1000" dir="auto" aria-describedby="file-hint"><p class="hint" id="file-hint">For people who cannot see or hear it.</p></div>
        <p><button class="button quiet" name="do" value="attach">Add</button></p>
        </details>
        \(if: isNew, postChoices(draft.mediaPost))
        """
}

/// What it is published as.
private func postChoices(_ chosen: MediaPost?) -> HTML {
    func choice(_ value: String, _ label: HTML, isChosen: Bool) -> HTML {
        "<label class=\"choice\"><input type=\"radio\" name=\"as\" value=\"\(value)\"\(flag: "checked", if: isChosen)><span class=\"choice-label\">\(label)</span></label>"
    }
    return """
        <details class="attach"\(flag: "open", if: chosen != nil)><summary>Publish as something other than a note</summary>
        <fieldset class="choices stacked"><legend>Publish as</legend>\(choice("note", "A note", isChosen: chosen == nil))\(choice("pictures", "A post of pictures", isChosen: chosen?.sort == .pictures))\(choice("film", "A film", isChosen: chosen?.sort == .film))\(choice("short", "A short film", isChosen: chosen?.sort == .short))</fieldset>
        <div class="field"><label for="post-title">Title of the post</label><input id="post-title" name="title" value="\(chosen?.title ?? "")" maxlength="200" dir="auto"></div>
        </details>
        """
}

/// What is not ticked is left out.
private func fileChoices(_ tags: [Tag]) -> HTML {
    guard !tags.isEmpty else { return HTML() }
    return """
        <fieldset class="choices stacked"><legend>Pictures and files of this draft</legend>\(each: Array(tags.enumerated()), { file in
            """
            <label class="choice"><input type="checkbox" name="attached-\(file.offset)" value="\(file.element.attachedWord)" checked><span class="choice-label attached">\(file.element.mediaAddress ?? "")</span>\(some: MediaAttachment(file.element)?.description, { "<span class=\"hint\">\($0)</span>" })</label>
            """
        })</fieldset>
        """
}

/// The files that a form carried, in their order.
func attachedFiles(_ form: Form) -> [Tag] {
    form.all.compactMap { field -> (place: Int, tag: Tag)? in
        guard field.name.hasPrefix("attached-"), let place = Int(field.name.dropFirst("attached-".count)) else {
            return nil
        }
        return Tag(attached: field.value).map { (place: place, tag: $0) }
    }.sorted { $0.place < $1.place }.map { $0.tag }
}

extension Tag {
    /// The tag as a form carries it: JSON.
    var attachedWord: String { JSONValue.array(elements.map { .string($0) }).text }

    /// Reads what a form carried; `nil` for anything that tells of no file.
    init?(attached word: String) {
        // What a browser sends can be anything.
        guard word.utf8.count <= 10_000, let value = try? JSONValue(Array(word.utf8)) else { return nil }
        let tag = Tag(value.elements.compactMap(\.string))
        guard tag.mediaAddress != nil else { return nil }
        self = tag
    }
}
