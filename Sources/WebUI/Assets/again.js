// A form came before its page's script could send it: this page asks the extension while the form is on its way.
import { sendForm, serveExtension } from "./nip07.js";

const form = document.querySelector("form[data-again]");
const words = document.getElementById("again-words");
const button = form.querySelector("button");

async function send() {
  button.hidden = true;
  try {
    location.replace(await sendForm(form));
  } catch (trouble) {
    words.textContent = trouble.message;
    button.hidden = false;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void send();
});
serveExtension((sentence) => { words.textContent = sentence; });
void send();
