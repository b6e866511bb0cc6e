// A search: it goes on while somebody types.
import { watchSearch } from "./search.js";

watchSearch();
