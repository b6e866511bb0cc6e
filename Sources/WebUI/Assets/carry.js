// Takes the answer of a signer link back to the app, once per page: going back in the browser does not send it again.
const way = document.querySelector("a[data-carry], form[data-carry]");
const key = "carried " + location.pathname;
const carried = document.querySelector("[data-carried]");
if (way && !sessionStorage.getItem(key)) {
  sessionStorage.setItem(key, "1");
  if (way instanceof HTMLFormElement) way.requestSubmit();
  else location.href = way.href;
} else if (way && carried) {
  // What was posted leaves the page.
  way.remove();
  carried.hidden = false;
}
