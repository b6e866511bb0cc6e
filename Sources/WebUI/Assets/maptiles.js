import { distance } from "./geodesy.js";

/* The ground of tiles: Leaflet, as Debian packages it, with tiles that Linnet fetched itself. */

let loading;

/* Leaflet's file gives its names either to who imports it or to the page. */
function leaflet(path) {
  loading ??= import(new URL(path, location.href).href).then((module) => {
    const found = module.map ? module : window.L;
    if (!found?.map) throw new Error("This is not Leaflet.");
    return found;
  });
  loading.catch(() => { loading = undefined; });
  return loading;
}

/* The page waits for Leaflet's own style sheet, beside its script: without it tiles would lie anywhere. */
function styled(path) {
  const address = new URL("leaflet.css", new URL(path, location.href)).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === address)) return Promise.resolve();
  return new Promise((done, failed) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.addEventListener("load", done);
    link.addEventListener("error", () => failed(new Error("Leaflet's style sheet is missing.")));
    // Before our own sheets, which change some of it.
    document.head.prepend(link);
  });
}

export class TileGround {
  kind = "tiles";

  /** Opens a map of tiles; throws where Leaflet is not there. */
  static async open(view, options, drawn) {
    const [L] = await Promise.all([leaflet(options.leaflet), styled(options.leaflet)]);
    return new TileGround(L, view, options, drawn);
  }

  constructor(L, view, options, drawn) {
    this.L = L;
    this.view = view;
    this.drawn = drawn;
    this.markers = new Map();
    this.holder = document.createElement("div");
    this.holder.className = "map-tiles";
    view.append(this.holder);
    const isStill = document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.isStill = isStill;
    this.map = L.map(this.holder, {
      // The keys, the buttons and the scale are the same on either ground, so they are not Leaflet's.
      keyboard: false, zoomControl: false, attributionControl: false, worldCopyJump: false, maxZoom: Number(options.maxZoom) || 19,
      zoomAnimation: !isStill, fadeAnimation: !isStill, markerZoomAnimation: !isStill, inertia: !isStill,
    }).setView([0, 0], 2);
    this.tiles = tileLayer(L, options.tiles).addTo(this.map);
    this.layer = L.layerGroup().addTo(this.map);
    if (options.attribution) this.attribute(options.attribution);
    this.map.on("zoomend moveend resize", () => this.drawn());
    new ResizeObserver(() => this.map.invalidateSize({ animate: false })).observe(view);
  }

  /* Plain words: what a tile source asks to be told must not be able to bring HTML along. */
  attribute(words) {
    const line = document.createElement("p");
    line.className = "map-attribution";
    line.textContent = words;
    this.view.after(line);
  }

  /* ---- What is asked of a ground ---- */

  show(pins, places, line) {
    const { L } = this;
    const placed = pins.filter((pin) => pin.isPlaced);
    // Around what is looked at, so that nobody who crosses the date line leaves the view by that.
    this.middle = this.isFitted ? this.map.getCenter().lng : (placed[0] ?? places[0])?.lon ?? 0;
    this.layer.clearLayers();
    for (const place of places) {
      L.circle(this.spot(place), { radius: place.radius || 10, className: "map-tile-place", interactive: false }).addTo(this.layer)
        .bindTooltip(plain(place.name), { permanent: true, direction: "bottom", className: "map-tile-name", interactive: false });
    }
    for (const pin of placed) {
      const states = `map-tile-ring is-${pin.state}`;
      if (pin.trail.length) {
        const trail = [...pin.trail.map(([lat, lon]) => this.spot({ lat, lon })), this.spot(pin)];
        L.polyline(trail, { className: "map-tile-trail", interactive: false }).addTo(this.layer);
      }
      if (pin.accuracy) L.circle(this.spot(pin), { radius: pin.accuracy, className: states, interactive: false }).addTo(this.layer);
      L.circleMarker(this.spot(pin), { radius: 4, className: "map-tile-mark", interactive: false }).addTo(this.layer);
    }
    if (line) L.polyline(line.map((pin) => this.spot(pin)), { className: "map-tile-way", interactive: false }).addTo(this.layer);
    this.mark(placed);
  }

  /* Markers stay as long as their pins do: a marker taken away would take the focus with it. */
  mark(placed) {
    const keys = new Set(placed.map((pin) => pin.key));
    for (const [key, marker] of this.markers) {
      if (keys.has(key)) continue;
      marker.remove();
      this.markers.delete(key);
    }
    for (const pin of placed) {
      const marker = this.markers.get(pin.key);
      if (marker) {
        marker.setLatLng(this.spot(pin));
        continue;
      }
      const icon = this.L.divIcon({ className: "map-tile-pin", html: pin.button, iconSize: [0, 0] });
      pin.button.style.removeProperty("transform");
      const fresh = this.L.marker(this.spot(pin), { icon, keyboard: false, interactive: false });
      this.markers.set(pin.key, fresh.addTo(this.map));
    }
  }

  metresPerPixel() {
    const size = this.map.getSize();
    const at = (x) => {
      const { lat, lng } = this.map.containerPointToLatLng([size.x / 2 + x, size.y / 2]);
      return { lat, lon: lng };
    };
    return distance(at(-50), at(50)) / 100;
  }

  point(place) {
    return this.map.latLngToContainerPoint(this.spot(place));
  }

  /* What is looked at, to be fetched ahead; a world's width at the most. */
  part() {
    const bounds = this.map.getBounds();
    const turn = (lon) => ((((lon + 180) % 360) + 360) % 360) - 180;
    const isWide = bounds.getEast() - bounds.getWest() >= 360;
    return {
      south: Math.max(-85, bounds.getSouth()), north: Math.min(85, bounds.getNorth()), zoom: Math.floor(this.map.getZoom()),
      west: isWide ? -180 : turn(bounds.getWest()), east: isWide ? 180 : turn(bounds.getEast()),
    };
  }

  fit(points) {
    const bounds = this.L.latLngBounds([]);
    for (const place of points) {
      bounds.extend(this.L.latLng(this.spot(place)).toBounds(2 * Math.max(100, Math.min(place.around, 5000))));
    }
    this.isFitted = true;
    this.map.fitBounds(bounds, { paddingTopLeft: [50, 80], paddingBottomRight: [70, 50], animate: false });
    this.drawn();
  }

  pan(x, y) {
    this.map.panBy([x, y], { animate: !this.isStill });
  }

  zoom(steps) {
    this.map.setZoom(this.map.getZoom() + steps, { animate: !this.isStill });
  }

  reveal(pin) {
    const { x, y } = this.point(pin);
    const size = this.map.getSize();
    const isInside = x > 40 && y > 70 && x < size.x - 60 && y < size.y - 40;
    if (!isInside) this.map.panTo(this.spot(pin), { animate: !this.isStill });
  }

  draw() {
    this.drawn();
  }

  /* Longitudes count on past the date line, so that neighbours across it are neighbours here. */
  spot({ lat, lon }) {
    const turns = Math.round((lon - this.middle) / 360);
    return [Math.max(-85, Math.min(85, lat)), lon - 360 * turns];
  }
}

/* Leaflet's own layer of tiles clears them with a picture out of a data: address, which the page's policy refuses. */
function tileLayer(L, template) {
  const Tiles = L.GridLayer.extend({
    createTile(at, done) {
      const tile = document.createElement("img");
      tile.alt = "";
      tile.addEventListener("load", () => done(null, tile));
      // A tile that is not to be had leaves the bare ground.
      tile.addEventListener("error", () => done(new Error("no tile"), tile));
      tile.src = template.replace(/\{([zxy])\}/g, (_, name) => at[name]);
      return tile;
    },
  });
  return new Tiles().on("tileunload", ({ tile }) => tile.removeAttribute("src"));
}

function plain(words) {
  const span = document.createElement("span");
  span.textContent = String(words ?? "");
  return span;
}
