// The key is elsewhere: forms wait for it, and pages say how its signer stands.
import { watchElsewhere } from "./elsewhere.js";

watchElsewhere();
