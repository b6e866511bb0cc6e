// The signer's own pages.
import { watchSigner } from "./signer.js";

watchSigner();
