/// The page that a guest link opens; a script fills it from what stands behind the `#`.
func guestView() -> HTML {
    """
    <section class="sheet narrow guest" data-guest><h1>Where somebody is</h1>
    <p class="guest-state" role="status" data-guest-state>Reading the link …</p>
    <noscript><p class="problem">The place is decrypted in your browser, by a script. Allow scripts on this page to see it.</p></noscript>
    <div class="guest-place" data-guest-place hidden><p class="guest-where"><b data-guest-where></b> <span data-guest-within></span></p><p class="hint" data-guest-when></p><p class="sheet-end"><a class="button" rel="noreferrer noopener" data-guest-map>Show on OpenStreetMap</a> <a class="button quiet" data-guest-app>Open in a map app</a></p><p class="hint">OpenStreetMap learns the place when you open it there; nothing on this page asks it.</p></div>
    <p class="hint" data-guest-end></p>
    <p class="hint">Somebody shows you their location with this link, and nothing else. Everybody who has the link can see it; this page’s server cannot.</p></section>
    """
}
