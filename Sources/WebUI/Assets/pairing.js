// Looks every second how it stands with the signer, and loads the page again when that has changed.
const sheet = document.getElementById("pairing");
const path = location.pathname + "/step";

const look = async () => {
  try {
    const answer = await fetch(path, { credentials: "same-origin", signal: AbortSignal.timeout(10000) });
    if (answer.ok && (await answer.text()) !== sheet.dataset.step) return location.reload();
  } catch {
    // Linnet is not answering; it is asked again.
  }
  setTimeout(look, 1000);
};
if (sheet && sheet.dataset.step !== "failed") setTimeout(look, 1000);

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.value);
      button.textContent = "Copied";
    } catch {
      text.select();
    }
  });
}
