// Takes the answer of a signer link back to the app, once per page: going back in the browser does not send it again.
const way = document.querySelector("a[data-carry]");
const key = "carried " + location.pathname;
if (way && !sessionStorage.getItem(key)) {
  sessionStorage.setItem(key, "1");
  location.href = way.href;
}
