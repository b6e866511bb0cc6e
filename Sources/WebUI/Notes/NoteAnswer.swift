internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

extension PageRenderer {
    /// What is answered after something was done with a note: the note as it is now for a script, else the page from
    /// which that was done.
    func answer(
        about id: EventID, of account: any Account, _ request: Request, _ context: WebContext
    ) async -> Response {
        if isFragment(request), let note = await NoteItem.load(id, of: account) {
            return NoteMarkup(note: note, style: noteStyle(context)).article().response()
        }
        return redirect(to: context.back(else: "/note/\(id)"))
    }
}
