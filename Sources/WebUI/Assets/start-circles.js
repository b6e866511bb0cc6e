// Circles: maps, places, people, pictures.
import { watchMaps } from "./map.js";
import { watchSharing } from "./place.js";
import { watchCircles, watchKeeping } from "./circles.js";
import { watchPictures } from "./pictures.js";

watchMaps();
watchSharing();
watchCircles();
watchKeeping();
watchPictures();
