// Files are brought to servers.
import { watchUploads } from "./uploads.js";

watchUploads();
