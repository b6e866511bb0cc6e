// Where notes are written, and names suggested.
import { watchCompose } from "./compose.js";

watchCompose();
