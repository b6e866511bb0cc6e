import { watchHappenings } from "./happenings.js";

watchHappenings();
