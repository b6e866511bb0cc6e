import { fragment, mention, parsed, serially } from "./fetching.js";

/** Puts what comes on top of the notifications while the page is open. */
export function watchHappenings() {
  const list = document.querySelector("form.feed[data-happenings]");
  if (!list || new URL(location.href).searchParams.has("before")) return;
  let unread;
  let isStale = false;
  const refresh = serially(() => showNewest(list));
  const look = () => {
    if (document.hidden) return;
    isStale = false;
    void refresh();
  };
  document.addEventListener("linnet:notifications", ({ detail }) => {
    // The first word mostly says how it stood when the page was drawn.
    const isKnown = unread === undefined && String(detail.unread) === list.dataset.known;
    unread = detail.unread;
    if (isKnown) return;
    isStale = true;
    look();
  });
  document.addEventListener("visibilitychange", () => isStale && look());
}

/* Rows that are there already stay where they are; a group that grew is drawn anew, above. */
async function showNewest(list) {
  const page = parsed(await fragment(list.dataset.path)).querySelector("form.feed");
  if (!page) return;
  const fresh = [...page.querySelectorAll(".happening")];
  const isNew = fresh.filter((row) => !document.getElementById(row.id)).length;
  if (Number(list.dataset.pages || 1) > 1 || list.contains(document.activeElement)) addAbove(list, fresh);
  else list.replaceChildren(...page.children);
  if (isNew > 0) mention(isNew === 1 ? "1 new notification" : `${isNew} new notifications`);
  list.dispatchEvent(new Event("linnet:grown"));
}

function addAbove(list, fresh) {
  list.querySelector(".empty")?.remove();
  const first = list.querySelector(".happening");
  for (const row of fresh) {
    if (document.getElementById(row.id)) continue;
    if (first) first.before(row);
    else list.append(row);
  }
}
