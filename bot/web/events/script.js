for (const time of document.querySelectorAll("time[datetime]")) {
  const shown = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeStyle: "short" });
  time.textContent = shown.format(new Date(time.dateTime));
}
