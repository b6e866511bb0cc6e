// Asks the browser to give addresses of Nostr to Linnet: the page of settings has the button.
const schemes = [
  "nostr", "web+nostr", "web+bunker", "web+nostrconnect", "web+nostrsigner", "web+whistle", "web+lightning",
];

function offerHandlers() {
  const button = document.querySelector("[data-handlers]");
  if (!button) return;
  const state = document.querySelector("[data-handlers-state]");
  const say = (words) => { state.textContent = words; };
  if (!("registerProtocolHandler" in navigator)) return say("This browser gives no links to pages.");
  say("Your browser can give nostr: links of other pages to Linnet. It asks you for each kind.");
  button.hidden = false;
  button.addEventListener("click", () => {
    const taken = schemes.filter((scheme) => {
      try {
        navigator.registerProtocolHandler(scheme, `${location.origin}/open?url=%s`);
        return true;
      } catch {
        // Not every browser lets pages register for nostr: itself.
        return false;
      }
    });
    say(taken.length
      ? `Your browser was asked about ${taken.map((scheme) => scheme + ":").join(", ")}. Say yes there.`
      : "Your browser gives none of these links to pages.");
  });
}

offerHandlers();
