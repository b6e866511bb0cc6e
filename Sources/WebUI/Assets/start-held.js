// A note that was just written and can still be undone.
import { watchHeld } from "./held.js";

watchHeld();
