// The page that is open, and the other pages of its thread: read one at a time, with the pause that Knightfall says,
// from this site alone, and no further where anything is wrong.
"use strict";

globalThis.knightfallReading = (() => {
  const MOST = 2000; // pages of one thread
  const bare = (host) => host.replace(/^www\./, "");

  // The page as the board made it, without what this helper put there.
  function here() {
    const page = document.documentElement.cloneNode(true);
    for (const one of page.querySelectorAll("knightfall-helper, [data-knightfall-badge]")) one.remove();
    return { url: location.href, html: page.outerHTML };
  }

  // An address of this site as this tab may ask for it; null for one of another site.
  function onThisSite(address) {
    const url = new URL(address, location.href);
    if (bare(url.host) !== bare(location.host)) return null;
    url.protocol = location.protocol;
    url.host = location.host;
    return url;
  }

  async function page(address) {
    const url = onThisSite(address);
    if (!url) return { error: "The next page is of another site, so it was not read." };
    let answer;
    try {
      answer = await fetch(url, { credentials: "same-origin", cache: "no-store" });
    } catch {
      return { error: "Your browser does not let a helper read on from this page. Open the next page, and press the button there." };
    }
    if (answer.status === 429) return { error: knightfallText.pauseWanted(answer) };
    return { url: answer.url, html: await knightfallText.decoded(answer) };
  }

  // Rests until the pause is over, or the reading is stopped.
  function rest(seconds, stop) {
    return new Promise((done) => {
      const timer = setTimeout(done, 1000 * seconds);
      stop.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
    });
  }

  // Reads what Knightfall names, until nothing is left: {…the last answer, error}.
  async function readOn(first, send, tell, stop) {
    let told = first;
    const seen = new Set();
    while (told.next && !seen.has(told.next) && seen.size < MOST) {
      seen.add(told.next);
      await rest(told.pause, stop);
      if (stop.aborted) return { ...told, error: "Stopped. What was read is kept." };
      const read = await page(told.next);
      const answer = read.error ? read : await send(read);
      if (answer.error) return { ...told, error: answer.error };
      told = answer;
      tell(told);
    }
    return told;
  }

  return { here, readOn };
})();
