// Distances, bearings and flat pictures of the earth as a sphere (mean radius of WGS 84: at most 0.6 % off anywhere).
const radius = 6371008.8;
const rad = Math.PI / 180;

/** The longest way on the sphere. */
export const halfwayRound = Math.PI * radius;

/** Whether two numbers are a place at all. */
export function isPlace(lat, lon) {
  return Number.isFinite(lat) && Number.isFinite(lon) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

/** A longitude within -180…180. */
export const wrapped = (lon) => ((((lon + 180) % 360) + 360) % 360) - 180;

/** Metres along the great circle between two places (haversine). */
export function distance(a, b) {
  const half = Math.sin(((b.lat - a.lat) * rad) / 2) ** 2
    + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2;
  return 2 * radius * Math.asin(Math.sqrt(Math.min(1, half)));
}

/** Degrees clockwise from north in which one sets out from `a` to reach `b`. */
export function bearing(a, b) {
  const east = (b.lon - a.lon) * rad;
  const y = Math.sin(east) * Math.cos(b.lat * rad);
  const x = Math.cos(a.lat * rad) * Math.sin(b.lat * rad) - Math.sin(a.lat * rad) * Math.cos(b.lat * rad) * Math.cos(east);
  return (Math.atan2(y, x) / rad + 360) % 360;
}

/** The place that lies `metres` from `from` in the direction of a bearing. */
export function along(from, degrees, metres) {
  const angle = metres / radius;
  const turn = degrees * rad;
  const sine = Math.sin(from.lat * rad) * Math.cos(angle) + Math.cos(from.lat * rad) * Math.sin(angle) * Math.cos(turn);
  const lat = Math.asin(Math.min(1, Math.max(-1, sine)));
  const lon = from.lon * rad
    + Math.atan2(Math.sin(turn) * Math.sin(angle) * Math.cos(from.lat * rad), Math.cos(angle) - Math.sin(from.lat * rad) * sine);
  return { lat: lat / rad, lon: wrapped(lon / rad) };
}

/** Metres east and south of a centre: the azimuthal equidistant projection, true from the centre, at home at poles and date line. */
export function flattened(centre, place) {
  const far = distance(centre, place);
  const turn = bearing(centre, place) * rad;
  return { x: far * Math.sin(turn), y: -far * Math.cos(turn), far };
}

/** The place that is `x` metres east and `y` south on such a picture. */
export function unflattened(centre, x, y) {
  const far = Math.min(Math.hypot(x, y), halfwayRound * 0.999);
  return far === 0 ? centre : along(centre, Math.atan2(x, -y) / rad, far);
}

/** The middle of places on the sphere, so that two on either side of the date line have theirs between them. */
export function middle(places) {
  const sum = { x: 0, y: 0, z: 0 };
  for (const { lat, lon } of places) {
    sum.x += Math.cos(lat * rad) * Math.cos(lon * rad);
    sum.y += Math.cos(lat * rad) * Math.sin(lon * rad);
    sum.z += Math.sin(lat * rad);
  }
  // Places that balance each other out have no middle: the first is as good as any.
  if (Math.hypot(sum.x, sum.y, sum.z) < 1e-6 * places.length) return places[0];
  return { lat: Math.atan2(sum.z, Math.hypot(sum.x, sum.y)) / rad, lon: Math.atan2(sum.y, sum.x) / rad };
}

/** The longest of 1, 2, 5, 10 … metres that is no longer than this. */
export function round(metres) {
  const power = 10 ** Math.floor(Math.log10(metres));
  return ([5, 2].find((step) => step * power <= metres) ?? 1) * power;
}

/** "340 m", "1.2 km", "640 km". */
export function length(metres) {
  if (metres < 1) return `${Number(metres.toPrecision(1))}\u00a0m`;
  if (metres < 995) return `${metres < 100 ? Math.round(metres) : Math.round(metres / 10) * 10}\u00a0m`;
  const far = metres / 1000;
  return `${far < 9.95 ? Number(far.toFixed(1)) : Math.round(far).toLocaleString()}\u00a0km`;
}

const winds = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/** A bearing in words, to the nearest of eight. */
export const wind = (degrees) => winds[Math.round(degrees / 45) % 8];
