// Live streams: what comes while somebody watches.
import { watchStreams } from "./streams.js";

watchStreams();
