/// The keys that pages answer to.
let shortcutList: HTML = """
    <dl class="keys-list">
    <div><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>Next and previous note</dd></div>
    <div><dt><kbd>o</kbd> <kbd>Enter</kbd></dt><dd>Open the note</dd></div>
    <div><dt><kbd>l</kbd></dt><dd>Like</dd></div>
    <div><dt><kbd>r</kbd></dt><dd>Reply</dd></div>
    <div><dt><kbd>t</kbd></dt><dd>Repost</dd></div>
    <div><dt><kbd>q</kbd></dt><dd>Quote</dd></div>
    <div><dt><kbd>m</kbd></dt><dd>More: mute, bookmark, pin</dd></div>
    <div><dt><kbd>a</kbd> <kbd>x</kbd></dt><dd>Approve and refuse a request of an app</dd></div>
    <div><dt><kbd>n</kbd></dt><dd>Write a note</dd></div>
    <div><dt><kbd>.</kbd></dt><dd>Show new notes</dd></div>
    <div><dt><kbd>/</kbd></dt><dd>Search</dd></div>
    <div><dt><kbd>g</kbd> <kbd>h</kbd></dt><dd>Home</dd></div>
    <div><dt><kbd>g</kbd> <kbd>i</kbd></dt><dd>Notifications</dd></div>
    <div><dt><kbd>g</kbd> <kbd>m</kbd></dt><dd>Messages</dd></div>
    <div><dt><kbd>g</kbd> <kbd>r</kbd></dt><dd>Relays</dd></div>
    <div><dt><kbd>g</kbd> <kbd>p</kbd></dt><dd>Profile</dd></div>
    <div><dt><kbd>g</kbd> <kbd>s</kbd></dt><dd>Settings</dd></div>
    <div><dt><kbd>g</kbd> <kbd>l</kbd></dt><dd>Lists</dd></div>
    <div><dt><kbd>g</kbd> <kbd>b</kbd></dt><dd>Signer</dd></div>
    <div><dt><kbd>Ctrl</kbd> <kbd>Enter</kbd></dt><dd>Publish what you wrote</dd></div>
    <div><dt><kbd>?</kbd></dt><dd>This list</dd></div>
    </dl>
    """
