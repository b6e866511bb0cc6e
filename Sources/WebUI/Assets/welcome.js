// Lets a browser's extension prove its key; without scripts that door says why it stays shut.
import { extension } from "./nip07.js";

const form = document.querySelector("[data-nip07]");
if (form && (await extension())) {
  form.querySelector("[data-nip07-missing]").hidden = true;
  form.querySelector("[data-nip07-there]").hidden = false;
  const button = form.querySelector("button");
  button.disabled = false;
  form.addEventListener("submit", async (event) => {
    if (form.proof.value) return;
    event.preventDefault();
    button.disabled = true;
    try {
      const signed = await window.nostr.signEvent({
        kind: 27235,
        created_at: Math.floor(Date.now() / 1000),
        content: "",
        tags: [["u", location.origin + "/welcome/browser"], ["method", "POST"], ["challenge", form.dataset.nip07]],
        pubkey: await window.nostr.getPublicKey(),
      });
      form.proof.value = JSON.stringify(signed);
    } catch {
      // Posted without a proof; the page then says what is missing.
    }
    form.submit();
  });
}
