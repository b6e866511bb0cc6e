// Notes: a click opens them, a picture is shown large.
import { watchOpening } from "./opening.js";
import { watchViewer } from "./viewer.js";

watchOpening();
watchViewer();
