internal import ViewModels

/// The passphrase of the account's key, typed with a yes that needs it; nothing where none does.
///
/// The form does not require it, as it also takes a no: the signer says when it is missing.
///
/// - Parameter name: makes its id, where a page has several.
func passphraseField(_ item: PassphraseItem?, _ name: String) -> HTML {
    """
    \(some: item, { item in
        """
        <div class="field"><label for="passphrase-\(name)">\(item.label)</label><input id="passphrase-\(name)" name="passphrase" type="password" autocomplete="current-password" spellcheck="false"></div>
        """
    })
    """
}
