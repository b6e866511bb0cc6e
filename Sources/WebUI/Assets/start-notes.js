// Notes: a click opens them, a picture is shown large, one that is gone is looked for elsewhere, and a long press on the
// heart offers emoji. Links are previewed.
import { watchFallbacks } from "./fallbacks.js";
import { watchOpening } from "./opening.js";
import { watchPreviews } from "./previews.js";
import { watchReactions } from "./reactions.js";
import { watchViewer } from "./viewer.js";

watchFallbacks();
watchOpening();
watchReactions();
watchViewer();
watchPreviews();
