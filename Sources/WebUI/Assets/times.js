const clocks = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const ends = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });

function spoken(moment) {
  const age = (Date.now() - moment) / 1000;
  if (age >= -300 && age < 60) return "now";
  if (age >= 60 && age < 3600) return `${Math.floor(age / 60)} min`;
  if (age >= 3600 && age < 86400) return `${Math.floor(age / 3600)} h`;
  if (age >= 86400 && age < 7 * 86400) return `${Math.floor(age / 86400)} d`;
  return null;
}

/** Keeps "3 min" true, and shows the full date in the reader's own time zone on hover. */
export function refreshTimes(root = document) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const moment = Date.parse(time.dateTime);
    if (Number.isNaN(moment)) continue;
    if (time.hasAttribute("data-full")) {
      time.textContent = dates.format(moment);
      continue;
    }
    if (time.matches("[data-clock], [data-end]")) {
      time.textContent = (time.hasAttribute("data-end") ? ends : clocks).format(moment);
      time.title = dates.format(moment);
      continue;
    }
    if (time.hasAttribute("data-day")) continue;
    if (!time.title) time.title = dates.format(moment);
    const words = spoken(moment);
    if (words && words !== time.textContent) time.textContent = words;
  }
}

export function watchTimes() {
  refreshTimes();
  setInterval(refreshTimes, 30000);
}
