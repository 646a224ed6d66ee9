// Before the first paint: the theme the reader chose last, so that the page does not flash.
try {
  const theme = localStorage.getItem("metier.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {}
