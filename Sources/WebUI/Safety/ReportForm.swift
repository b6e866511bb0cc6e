internal import NostrNIPs
internal import ViewModels

/// Asks what is wrong with a note or a person, which is then reported in public (NIP-56).
///
/// - Parameters:
///   - name: whose note it is, or who is reported.
///   - page: where it was begun.
///   - action: where it is sent.
func reportForm(on name: String, from page: Path, to action: Path, problem: String?, _ token: FormToken) -> HTML {
    """
    <p>A report is public and signed with your key: everybody can see that you made it. To stop seeing \(name), mute them instead.</p>
    \(problemLine(problem))
    <form method="post" action="\(action)">\(token.field)<fieldset class="choices stacked"><legend>What is wrong?</legend>\(each: NoteReport.choices, {
        "<label class=\"choice\"><input type=\"radio\" name=\"reason\" value=\"\($0.reason.rawValue)\" required> \($0.words)</label>"
    })</fieldset>
    <label class="field"><span>Details (optional)</span><input name="text" maxlength="1000" autocomplete="off"></label>
    <p class="sheet-end"><button class="button">Report publicly</button><a class="button quiet" href="\(page)">Cancel</a></p></form>
    """
}
