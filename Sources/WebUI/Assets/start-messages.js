// Conversations, private ones and those of circles.
import { watchMessages } from "./messages.js";

watchMessages();
