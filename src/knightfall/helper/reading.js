// The page that is open, and the other pages of its thread: read one at a time, with the pause that Knightfall says,
// from this site alone, and no further where anything is wrong. What was read is looked at once more: a post that is
// deleted meanwhile moves others to a page that was read before.
"use strict";

globalThis.knightfallReading ??= (() => {
  const MOST = 2000; // pages of one thread
  const ROUNDS = 3; // looks at pages that go on changing
  const STOPPED = { error: "Stopped. What was read is kept." };
  const bare = (host) => host.replace(/^www\./, "");

  // The page as the board made it, without what this helper put there.
  function shown() {
    const page = document.documentElement.cloneNode(true);
    for (const one of page.querySelectorAll("knightfall-helper, [data-knightfall-badge]")) one.remove();
    return { url: location.href, html: page.outerHTML };
  }

  // A page as its site has it now, by an address as this tab may ask for it.
  async function fetched(address, stop) {
    const url = new URL(address, location.href);
    if (bare(url.host) !== bare(location.host)) return { error: "The next page is of another site, so it was not read." };
    url.protocol = location.protocol;
    url.host = location.host;
    url.hash = "";
    return knightfallText.page(url.href, location.origin, "same-origin", stop);
  }

  // The page that is open: as its site has it now, since this tab may be an hour old; else as it is shown.
  async function first(send, stop) {
    const now = await fetched(location.href, stop);
    if (now.barred) return { ...(await send(shown())), barred: now.error };
    if (now.error) return now;
    const told = await send({ ...now, fresh: true, more: true });
    if (told.fault !== "refused") return told;
    const drawn = await send({ ...shown(), more: true }); // some boards send their posts to their own scripts alone
    return drawn.error ? told : { ...drawn, drawn: true };
  }

  // Rests until the pause is over, or the reading is stopped.
  function rest(seconds, stop) {
    return new Promise((done) => {
      const timer = setTimeout(done, 1000 * seconds);
      stop.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
    });
  }

  async function next(address, told, send, stop) {
    await rest(told.pause, stop);
    if (stop.aborted) return STOPPED;
    const read = await fetched(address, stop);
    if (read.error) return read;
    const answer = await send({ ...read, fresh: true, more: true });
    if (answer.error) return answer;
    if (answer.kind !== "thread" || answer.thread !== told.thread) return { error: "The forum led to another page than the next one of this thread, so reading ended there." };
    return answer;
  }

  const begins = (ids, known) => known.every((id, place) => id === ids[place]);

  // Reads what Knightfall names, until nothing is left, then looks at all but the last once more: {…the last answer,
  // error}.
  async function readOn(told, send, tell, stop) {
    if (told.barred) return { ...told, error: told.next ? told.barred : "" };
    const read = new Map(told.drawn ? [] : [[location.href, told.ids]]);
    const on = async () => {
      const seen = new Set();
      while (told.next && !seen.has(told.next) && seen.size < MOST) {
        seen.add(told.next);
        const address = told.next;
        const answer = await next(address, told, send, stop);
        if (answer.error) return answer.error;
        read.set(address, answer.ids);
        tell((told = answer));
      }
      return "";
    };
    let error = await on();
    for (let round = 1; !error && read.size > 1; round++) {
      let still = true;
      for (const [address, ids] of [...read].slice(0, -1)) {
        const answer = await next(address, told, send, stop);
        if ((error = answer.error ?? "")) break;
        still = begins(answer.ids, ids) && still;
        read.set(address, answer.ids);
        tell((told = { ...answer, again: true }));
      }
      if (error || still) break;
      error = round < ROUNDS ? await on() : "The thread changed again and again while it was read, so it is not called complete. Press the button again.";
    }
    return { ...told, error };
  }

  return { first, readOn };
})();
