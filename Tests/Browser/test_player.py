"""The player of films in pieces (HLS), where a browser brings none: on a page without the program, with films of its own."""

import http.server
import pathlib
import re
import threading
import time

import pytest

from conftest import WATCH
from pieces import Host, LiveList, later, listed, pictures, sound

# Notices when the browser is ready to be handed a film.
OPENED = """
  const { createObjectURL } = URL;
  URL.createObjectURL = (source) => {
    source.addEventListener("sourceopen", () => { window.isOpen = true; });
    return createObjectURL.call(URL, source);
  };
"""
ASSETS = pathlib.Path(__file__).parents[2] / "Sources" / "WebUI" / "Assets"
START = """
import { playPieces } from "./player.js";
window.told = [];
const film = document.querySelector("video");
playPieces(film, film.dataset.address, (what) => told.push(what));
"""


class PlayerPage:
    """Serves a page with one film, under the policy of a stream's page, until closed."""

    def __init__(self, address):
        # Lists of https lead to any host of it; others only to their own.
        origin = "https:" if address.startswith("https:") else "/".join(address.split("/")[:3])
        policy = f"default-src 'self'; script-src 'self'; media-src 'self' blob:; connect-src 'self' {origin}"
        body = (
            f'<!doctype html><html lang="en"><title>Film</title><video muted controls data-address="{address}"></video>'
            '<script type="module" src="/start.js"></script></html>'
        )

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                file = ASSETS / pathlib.PurePosixPath(self.path).name
                answer = {"/": body, "/start.js": START}.get(self.path) or (file.read_text() if file.is_file() else "")
                self.send_response(200 if answer else 404)
                self.send_header("Content-Type", "text/html" if self.path == "/" else "text/javascript")
                self.send_header("Content-Security-Policy", policy)
                self.end_headers()
                self.wfile.write(answer.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def film():
    return pictures(8)


@pytest.fixture
def watch(chromium):
    """Opens a page that plays a list of some files, and presses play; every script error fails the test.

    Files at addresses of https are given out under these, and the list at `address`."""
    opened, problems = [], []

    def watching(files, plays=True, address=None, **options):
        host = Host(files, **options)
        served = PlayerPage(address or f"{host.base}/list.m3u8")
        context = chromium.new_context(base_url=served.base)
        opened.append((host, served, context))
        page = context.new_page()
        page.add_init_script(WATCH)
        page.add_init_script(f"(() => {{ {OPENED} }})()")

        def answer(route):
            body = files.get(route.request.url)
            route.fulfill(
                status=404 if body is None else 200, body=body or "", headers={"Access-Control-Allow-Origin": "*"})

        page.route(re.compile("^https://"), answer)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto("/")
        page.wait_for_function("() => window.told && document.querySelector('video').src.startsWith('blob:')")
        if plays:
            page.locator("video").evaluate("(film) => { film.play().catch(() => {}); }")
        return page, host

    yield watching
    for host, served, context in opened:
        context.close()
        served.close()
        host.close()
    assert problems == []


def numbered(film, name="{}.m4s"):
    """The files of a film: its beginning, and its pieces by number."""
    init, pieces = film
    return {"init.mp4": init, **{name.format(number): piece for number, piece in enumerate(pieces)}}


def reaches(page, seconds):
    page.wait_for_function(
        "(moment) => document.querySelector('video').currentTime >= moment || told.length", arg=seconds, timeout=60000)
    assert page.evaluate("told") == []
    assert page.evaluate("ran") == [], "the policy of the page was kept"


def tells(page, what):
    page.wait_for_function("() => told.length", timeout=60000)
    assert page.evaluate("told") == [what]


def read(page, text, address="https://a.example/x/list.m3u8"):
    """What the list says, or why it cannot be played."""
    return page.evaluate(
        """async ([text, address]) => {
            const { readPlaylist, Unplayable } = await import("/playlists.js");
            try {
                return readPlaylist(text, address);
            } catch (trouble) {
                if (!(trouble instanceof Unplayable)) throw trouble;
                return "unplayable";
            }
        }""", [text, address])


def test_a_list_of_pieces_is_read_as_it_says(watch, film):
    page, _ = watch({}, plays=False)
    text = "\r\n".join([
        "#EXTM3U", "#EXT-X-TARGETDURATION:4", "#EXT-X-MEDIA-SEQUENCE:7", "#EXT-X-DISCONTINUITY-SEQUENCE:2", "",
        '#EXT-X-MAP:URI="a.mp4",BYTERANGE="700@0"', "#EXTINF:3.96,a title, with a comma", "#EXT-X-BYTERANGE:100@700", "a.mp4",
        "#EXTINF:4,", "#EXT-X-BYTERANGE:50", "a.mp4", "#EXT-X-DISCONTINUITY", '#EXT-X-MAP:URI="/b.mp4"',
        '#EXT-X-KEY:METHOD=AES-128,URI="k?a,b"', "#EXTINF:4", "https://b.example/1.m4s?x=1", "#EXT-X-KEY:METHOD=NONE",
        "#EXT-X-GAP", "#EXTINF:4,", "2.m4s", "#EXT-X-ENDLIST",
    ])
    found = read(page, text)
    a, b = "https://a.example/x/a.mp4", "https://a.example/b.mp4"
    first = {"url": a, "range": {"start": 0, "end": 700}}
    assert found["target"] == 4 and found["isEnded"]
    assert [(piece["number"], piece["url"], piece["duration"], piece["breaks"]) for piece in found["pieces"]] == [
        (7, a, 3.96, 2), (8, a, 4, 2), (9, "https://b.example/1.m4s?x=1", 4, 3), (10, "https://a.example/x/2.m4s", 4, 3)]
    assert [piece.get("range") for piece in found["pieces"]] == [
        {"start": 700, "end": 800}, {"start": 800, "end": 850}, None, None]
    assert [piece["init"]["url"] for piece in found["pieces"]] == [a, a, b, b] and found["pieces"][0]["init"] == first
    assert [piece["isLocked"] for piece in found["pieces"]] == [False, False, True, False]
    assert [piece["isMissing"] for piece in found["pieces"]] == [False, False, False, True]


PRIVATE = [
    "localhost", "LOCALHOST.:8443", "router.local", "x.internal", "127.0.0.1", "127.1", "0x7f000001", "10.1.2.3", "172.16.0.1",
    "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[::1]", "[fc00::1]", "[fd12:3456::1]", "[fe80::1]",
    "[::ffff:10.0.0.1]",
]


@pytest.mark.parametrize("text", [
    "", "<html>", "#EXTM3", "#EXTM3U\n#EXTINF:1,\nhttp://[", "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd",
    "#EXTM3U\n#EXTINF:1,\njavascript:alert(1)", "#EXTM3U\n#EXTINF:1,\nhttp://plain.example/1.m4s",
    "#EXTM3U\n#EXT-X-BYTERANGE:x\n1.m4s", "#EXTM3U\n#EXT-X-BYTERANGE:0@5\n1.m4s", "#EXTM3U\n#EXT-X-MAP:BYTERANGE=\"1@0\"\n1.m4s",
    "#EXTM3U\n#EXT-X-MAP:URI=\"data:video/mp4,x\"\n1.m4s", "#EXTM3U\n" + "a" * 5000, "#EXTM3U\n" + "é" * 2000,
    *[f"#EXTM3U\n#EXTINF:1,\nhttps://{host}/1.m4s" for host in PRIVATE],
    '#EXTM3U\n#EXT-X-MAP:URI="https://10.0.0.1/a.mp4"\n1.m4s',
    "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nhttps://router.local/1",
])
def test_what_is_no_list_or_leads_astray_is_not_played(watch, text):
    page, _ = watch({}, plays=False)
    assert read(page, text) == "unplayable"


def test_a_list_in_a_private_network_may_name_hosts_there_and_any_list_public_ones(watch):
    page, _ = watch({}, plays=False)
    private = "#EXTM3U\n" + "".join(f"https://{host}/1.m4s\n" for host in PRIVATE)
    for base in ["http://192.168.1.9/list.m3u8", "https://[fd12::9]/list.m3u8", "http://localhost:8080/list.m3u8"]:
        assert len(read(page, private, base)["pieces"]) == len(PRIVATE)
    hosts = [
        "172.32.0.1", "100.128.0.1", "11.0.0.1", "[fc::1]", "[2001:db8::1]", "internal.example", "10.0.0.1.example", "mylocal",
    ]
    public = "#EXTM3U\n" + "".join(f"https://{host}/1.m4s\n" for host in hosts)
    assert len(read(page, public)["pieces"]) == len(hosts)


def test_numbers_that_are_none_do_no_harm(watch):
    page, _ = watch({}, plays=False)
    found = read(page, "#EXTM3U\n#EXT-X-TARGETDURATION:1e9\n#EXT-X-MEDIA-SEQUENCE:-4\n#EXTINF:NaN,\n1.m4s\n#EXTINF:99999999,\n2.m4s\n"
                 "#EXTINF:0,\n3.m4s\n#EXTINF:0.05,\n4.m4s\n#EXTINF:0.1,\n5.m4s\n")
    assert found["target"] == 6 and [piece["number"] for piece in found["pieces"]] == [0, 1, 2, 3, 4]
    # What takes no time would be fetched without end.
    assert [piece["duration"] for piece in found["pieces"]] == [6, 3600, 6, 6, 0.1]


@pytest.mark.parametrize("line, place, is_read", [
    *[(line, "", True) for line in [
        "#EXT-X-STREAM-INF:" + "A" * 1_000_000, "#EXT-X-STREAM-INF:" + '"=,' * 300_000, "#EXT-X-STREAM-INF:A=1\n" * 45_000,
        "#EXT-X-KEY:" + "A=" * 500_000, "#EXTINF:1,\n1\n" * 80_000,
        "#EXT-X-MEDIA:TYPE=AUDIO\n#EXT-X-STREAM-INF:\n1\n" * 20_000,
    ]],
    # Each address would be as long as that of the list.
    ("1\n" * 5000, "a" * 100_000 + "/", False),
], ids=["letters", "quotes", "names", "key", "pieces", "sounds", "base"])
def test_a_list_that_is_made_to_take_long_does_not(watch, line, place, is_read):
    page, _ = watch({}, plays=False)
    took, was_read = page.evaluate(
        """async ([text, place]) => {
            const { readPlaylist, Unplayable } = await import("/playlists.js");
            const begun = performance.now();
            let isRead = true;
            try {
                readPlaylist(text, `https://a.example/${place}list.m3u8`);
            } catch (trouble) {
                if (!(trouble instanceof Unplayable)) throw trouble;
                isRead = false;
            }
            return [performance.now() - begun, isRead];
        }""", ["#EXTM3U\n" + line, place])
    assert took < 5000 and was_read == is_read


def test_of_several_lists_the_best_is_taken_that_browser_and_line_take(watch):
    page, _ = watch({}, plays=False)
    text = "\n".join([
        "#EXTM3U", '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="loud",NAME="English, loud",DEFAULT=YES,URI="loud.m3u8"',
        '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="words",NAME="words",URI="words.m3u8"',
        '#EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=1920x1080,CODECS="avc1.640028,mp4a.40.2",AUDIO="loud"', "big.m3u8",
        '#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,CODECS="avc1.64001f,mp4a.40.2"', "# between", "middle.m3u8",
        '#EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2"', "small.m3u8",
        '#EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="dvh1.05.06"', "other.m3u8", "#EXT-X-STREAM-INF:BANDWIDTH=1",
    ])
    found = read(page, text)
    base = "https://a.example/x/"
    assert [variant["url"].removeprefix(base) for variant in found["variants"]] == [
        "big.m3u8", "middle.m3u8", "small.m3u8", "other.m3u8"]
    assert found["variants"][0]["height"] == 1080 and found["variants"][0]["sounds"] == "loud"
    assert found["sounds"] == [{"group": "loud", "url": f"{base}loud.m3u8", "isDefault": True}]

    def chosen(most, refused="dvh1"):
        return page.evaluate(
            """async ([text, most, refused]) => {
                const { chooseVariant, readPlaylist } = await import("/playlists.js");
                const { variants } = readPlaylist(text, "https://a.example/x/list.m3u8");
                return chooseVariant(variants, (type) => !type.includes(refused), most)?.url.split("/").at(-1);
            }""", [text, most, refused])

    assert chosen(5e6) == "middle.m3u8" and chosen(1e7) == "big.m3u8" and chosen(1e5) == "small.m3u8"
    assert chosen(5e6, "avc1") == "other.m3u8" and chosen(5e6, "1") is None


def test_nothing_is_asked_for_before_play_and_then_it_plays_to_its_end(watch, film):
    page, host = watch({"list.m3u8": listed([f"{n}.m4s" for n in range(8)]), **numbered(film)}, plays=False)
    page.wait_for_function("() => window.isOpen")
    # What was asked for before this came before it.
    page.evaluate("fetch(document.querySelector('video').dataset.address.replace('list.m3u8', 'marker')).then(() => {})")
    assert host.names() == ["marker"]
    page.locator("video").evaluate("(film) => { film.playbackRate = 4; film.play().catch(() => {}); }")
    page.wait_for_function("() => document.querySelector('video').ended || told.length", timeout=60000)
    assert page.evaluate("told") == [] and page.evaluate("ran") == []
    assert host.names()[1:] == ["list.m3u8", "init.mp4", *[f"{n}.m4s" for n in range(8)]]
    assert page.evaluate("document.querySelector('video').videoWidth") == 160


def test_a_long_film_is_fetched_as_it_is_seen_and_where_one_goes(watch, film):
    live = LiveList(film)
    text = listed([f"live/{number}.m4s" for number in range(300)])
    page, host = watch({"list.m3u8": text, "live": live, "init.mp4": film[0]})
    reaches(page, 1)
    assert abs(page.evaluate("document.querySelector('video').duration") - 300) < 1
    held = page.wait_for_function("""() => {
        const { buffered, currentTime } = document.querySelector('video');
        return told.length || buffered.length && buffered.end(buffered.length - 1) - currentTime > 28 && currentTime;
    }""", timeout=60000).json_value()
    # As long again as all of it takes to fetch, and longer.
    reaches(page, held + 2)
    assert "live/20.m4s" in host.names() and "live/60.m4s" not in host.names()
    page.evaluate("() => { document.querySelector('video').currentTime = 200.5; }")
    reaches(page, 201)
    assert "live/200.m4s" in host.names() and "live/100.m4s" not in host.names()
    # What was seen long ago is let go of, and brought again.
    before = len(host.asked)
    page.evaluate("() => { document.querySelector('video').currentTime = 10.5; }")
    page.wait_for_function(
        "() => told.length || (([film]) => film.currentTime > 11 && film.currentTime < 60)(document.querySelectorAll('video'))",
        timeout=60000)
    assert page.evaluate("told") == []
    assert "live/10.m4s" in host.names()[before:]


def test_what_is_live_begins_near_its_end_and_goes_on(watch, film):
    live = LiveList(later(film, 5000), shown=20)
    page, host = watch({"list.m3u8": live, "live": live, "init.mp4": film[0]})
    begins = page.wait_for_function(
        "() => told.length || document.querySelector('video').readyState >= 2 && document.querySelector('video').currentTime",
        timeout=60000).json_value()
    first = min(int(name[5:-4]) for name in host.names() if name.startswith("live/"))
    assert 15 <= first <= 60, host.names()
    reaches(page, begins + 6)
    assert host.names().count("list.m3u8") > 2


class Forgetful(LiveList):
    """A live list whose pieces are gone as soon as it names them no more."""

    def piece(self, number):
        return super().piece(number) if number >= int(time.monotonic() - self.begun) else None


def test_what_is_live_goes_on_near_its_end_after_a_long_pause(watch, film):
    live = Forgetful(film, shown=120)
    page, host = watch({"list.m3u8": live, "live": live, "init.mp4": film[0]})
    reaches(page, 100)
    # Where all is held that is brought ahead, the list is not read again.
    page.evaluate("""() => {
        const film = document.querySelector('video');
        film.pause();
        film.currentTime = 60.5;
    }""")
    page.wait_for_function("""() => {
        const { buffered, currentTime } = document.querySelector('video');
        const held = [...Array(buffered.length).keys()].find((index) => buffered.start(index) <= currentTime);
        return told.length || currentTime < 61 && held !== undefined && buffered.end(held) - currentTime > 29.4;
    }""", timeout=60000)
    # Ten minutes go by.
    live.begun -= 600
    page.locator("video").evaluate("(film) => { film.playbackRate = 8; film.play().catch(() => {}); }")
    reaches(page, 690)
    later_ones = [int(name[5:-4]) for name in host.names() if name.startswith("live/")]
    assert not [number for number in later_ones if 300 < number < 600], "what is gone is asked for a few times only"
    assert max(later_ones) > 690


def test_gaps_are_passed_over(watch, film):
    gaps = ["#EXT-X-GAP", "none.m4s"] * 20_000
    page, host = watch({"list.m3u8": listed(["0.m4s", *gaps, *[f"{n}.m4s" for n in range(1, 8)]]), **numbered(film)})
    reaches(page, 3)
    assert "none.m4s" not in host.names()


def test_pieces_on_other_hosts_are_played_where_the_list_is_of_https(watch, film):
    files = numbered(film, "https://b.example/{}.m4s")
    files["https://c.example/init.mp4"] = files.pop("init.mp4")
    files["https://a.example/list.m3u8"] = listed(
        [f"https://b.example/{n}.m4s" for n in range(8)], init="https://c.example/init.mp4")
    page, host = watch(files, address="https://a.example/list.m3u8")
    reaches(page, 2)
    assert host.asked == []


def test_pieces_on_other_hosts_are_not_asked_for_where_the_list_is_not(watch, film):
    other = Host(numbered(film))
    try:
        text = listed([f"{other.base}/{n}.m4s" for n in range(8)])
        page, host = watch({"list.m3u8": text, **numbered(film)})
        tells(page, "failed")
        assert "connect-src" in page.evaluate("ran") and other.asked == [] and "init.mp4" in host.names()
    finally:
        other.close()


def test_a_public_list_leads_into_no_private_network(watch, film):
    place = "https://a.example/list.m3u8"
    page, _ = watch({place: listed(["https://127.0.0.1/0.m4s"])}, address=place)
    tells(page, "unplayable")


@pytest.mark.parametrize("head", [(), ("#EXT-X-DISCONTINUITY-SEQUENCE:7",)], ids=["alike", "otherwise"])
def test_sound_apart_from_pictures_plays_with_them_however_breaks_are_counted(watch, film, head):
    tone = sound(8)
    main = "\n".join([
        "#EXTM3U", '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="tone",DEFAULT=YES,URI="sound.m3u8"',
        '#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="vp09.00.10.08,opus",AUDIO="a"', "pictures.m3u8",
    ])
    files = {
        "list.m3u8": main, "pictures.m3u8": listed([f"{n}.m4s" for n in range(8)], head=head), **numbered(later(film, 70)),
        "sound.m3u8": listed([f"sound-{n}.m4s" for n in range(8)], init="sound.mp4"), "sound.mp4": tone[0],
        **{f"sound-{n}.m4s": piece for n, piece in enumerate(later(tone, 70)[1])},
    }
    page, host = watch(files)
    reaches(page, 2)
    assert "sound-0.m4s" in host.names() and "0.m4s" in host.names()


@pytest.mark.parametrize("gives_parts", [True, False])
def test_pieces_may_be_parts_of_one_file(watch, film, gives_parts):
    init, pieces = film
    at, lines = len(init), ["#EXTM3U", "#EXT-X-TARGETDURATION:1", f'#EXT-X-MAP:URI="all.mp4",BYTERANGE="{len(init)}@0"']
    for number, piece in enumerate(pieces):
        lines += ["#EXTINF:1,", f"#EXT-X-BYTERANGE:{len(piece)}" + (f"@{at}" if number == 0 else ""), "all.mp4"]
    text = "\n".join([*lines, "#EXT-X-ENDLIST"])
    page, host = watch({"list.m3u8": text, "all.mp4": init + b"".join(pieces)}, gives_parts=gives_parts)
    reaches(page, 2)
    assert host.asked[1] == ("all.mp4", f"bytes=0-{len(init) - 1}")


def test_a_break_after_which_the_clock_begins_anew_is_played_over(watch, film):
    other = later(pictures(3, width=96, height=64), 900)
    files = {**numbered(film), "other.mp4": other[0], **{f"other-{n}.m4s": piece for n, piece in enumerate(other[1])}}
    text = listed(
        ["0.m4s", "1.m4s", "#EXT-X-DISCONTINUITY", '#EXT-X-MAP:URI="other.mp4"', *[f"other-{n}.m4s" for n in range(3)]])
    page, _ = watch({"list.m3u8": text, **files})
    reaches(page, 3)
    assert page.evaluate("document.querySelector('video').videoWidth") == 96


def test_one_piece_that_is_gone_does_not_end_what_is_live(watch, film):
    class Holed(LiveList):
        hole = None

        def __call__(self):
            text = super().__call__()
            # Ten seconds after what was first listed.
            self.hole = self.hole or int(text.split("live/")[1].split(".")[0]) + 10
            return text

        def piece(self, number):
            return None if number == self.hole else super().piece(number)

    live = Holed(film)
    page, host = watch({"list.m3u8": live, "live": live, "init.mp4": film[0]})
    reaches(page, 13)
    assert f"live/{live.hole}.m4s" in host.names()


@pytest.mark.parametrize("why", ["no beginning", "locked", "no film", "no list", "too large", "of no kind"])
def test_what_cannot_be_played_is_told(watch, film, why):
    names = [f"{n}.m4s" for n in range(8)]
    texts = {
        "no beginning": listed([f"{n}.ts" for n in range(8)], init=None),
        "locked": listed(names, head=['#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"']),
        "no list": "<html>Sign in</html>",
        "of no kind": '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="none.1"\nother.m3u8\n',
    }
    files = {"list.m3u8": texts.get(why, listed(names)), **numbered(film)}
    if why == "no film":
        files["init.mp4"] = b"\0\0\0\x10ftypisom" + b"\0" * 4
    if why == "too large":
        files["init.mp4"] = bytes(2 << 20)
    page, host = watch(files)
    tells(page, "unplayable")
    assert not {"0.m4s", "0.ts", "other.m3u8"} & set(host.names())


@pytest.mark.parametrize("why", ["gone", "not shared", "broken"])
def test_what_fails_is_told(watch, film, why):
    files = {"list.m3u8": listed([f"{n}.m4s" for n in range(8)]), **numbered(film)}
    if why == "gone":
        del files["list.m3u8"]
    if why == "broken":
        # Its boxes are whole; what is in them is no film.
        head, rest = film[1][0].split(b"mdat")
        files["0.m4s"] = head + b"mdat" + b"\xff" * len(rest)
    page, host = watch(files, shares=why != "not shared")
    tells(page, "failed")
    # What is over is not asked for again. Nothing tells that nothing comes, so time has to pass: what was under way first,
    # then more than lies between two tries. A slow machine may let a wrong player pass here, and fails no right one.
    page.wait_for_timeout(300)
    asked = len(host.asked)
    page.wait_for_timeout(1500)
    assert len(host.asked) == asked
