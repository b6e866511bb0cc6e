internal import ViewModels

/// The form of the open account's own profile.
func profileEditView(_ form: ProfileForm, _ token: FormToken) -> HTML {
    """
    <div class="head"><h1>Edit profile</h1></div>
    <form class="sheet" method="post" action="/profile/edit" enctype="multipart/form-data">
    \(token.field)
    \(problemLine(form.problems[""]))
    \(each: profileFields, { profileField($0, form, takesFiles: true) })
    <p class="sheet-end"><button class="button">Save</button></p>
    </form>
    """
}

/// A field of a profile, as the form asks for it.
struct ProfileField {
    /// What it is called in the profile's JSON.
    let name: String
    let label: HTML
    var hint: HTML?
    var type: HTML = "text"
    var isLong = false
    /// Whether a file may be uploaded for it.
    var takesFile = false
}

let profileFields = [
    ProfileField(name: "display_name", label: "Name", hint: "What people see first."),
    ProfileField(name: "name", label: "Short name", hint: "What people write after @."),
    ProfileField(name: "about", label: "About you", isLong: true),
    ProfileField(
        name: "picture", label: "Picture", hint: "The address of a square picture, https://…", type: "url",
        takesFile: true),
    ProfileField(
        name: "banner", label: "Banner", hint: "The address of a wide picture, https://…", type: "url",
        takesFile: true),
    ProfileField(name: "website", label: "Website", hint: "https://…", type: "url"),
    ProfileField(name: "nip05", label: "Nostr address", hint: "name@example.org, if that domain vouches for you"),
    ProfileField(name: "lud16", label: "Lightning address", hint: "name@example.org, to be sent money"),
]

/// A field of the form, with its label, what is to be known about it, and what is wrong with it.
///
/// - Parameter takesFiles: whether the form can carry files.
func profileField(_ field: ProfileField, _ form: ProfileForm, takesFiles: Bool = false) -> HTML {
    let (name, value) = (field.name, form.fields[field.name] ?? "")
    return """
        <div class="field">
        <label for="f-\(name)">\(field.label)</label>
        \(if: field.isLong, "<textarea id=\"f-\(name)\" name=\"\(name)\" rows=\"5\">\(value)</textarea>", else: """
            <input id="f-\(name)" name="\(name)" type="\(field.type)" value="\(value)"\(if: field.hint != nil, " aria-describedby=\"h-\(name)\"") autocomplete="off">
            """)
        \(some: field.hint, { "<p class=\"hint\" id=\"h-\(name)\">\($0)</p>" })
        \(if: takesFiles && field.takesFile, "<label for=\"u-\(name)\" class=\"upload-label\">Or upload one</label><input id=\"u-\(name)\" name=\"\(name)-file\" type=\"file\" accept=\"image/*\">")
        \(some: form.problems[name], { "<p class=\"problem\">\($0)</p>" })
        </div>
        """
}
