// A page of a forum, fetched: one request, with an end, in the charset that its header or its head names. A plain script:
// modules and pages of forums use it alike.
"use strict";

globalThis.knightfallText ??= (() => {
  const PATIENCE = 60000; // milliseconds
  const LABEL = /charset\s*=\s*["']?\s*([\w.:-]{2,40})/i;
  const HEAD = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})/i;

  async function decoded(answer) {
    const bytes = await answer.arrayBuffer(); // Firefox lets a helper decode it, but not look into it
    const header = LABEL.exec(answer.headers.get("content-type") ?? "");
    const head = HEAD.exec(new TextDecoder("latin1").decode(bytes).slice(0, 4096));
    for (const label of [header?.[1], head?.[1], "utf-8"]) {
      try {
        if (label) return new TextDecoder(label).decode(bytes);
      } catch {
        // A charset that no browser knows.
      }
    }
    return "";
  }

  // Until when a forum that answers 429 wants to be left alone, on this machine's clock.
  function pauseWanted(answer) {
    const said = answer.headers.get("retry-after") ?? "";
    const at = /^\d+$/.test(said) ? Date.now() + 1000 * Number(said) : Date.parse(said);
    const until = Number.isFinite(at) ? ` until ${new Date(at).toLocaleTimeString()}` : "";
    return `The forum asks to be left alone${until}. Press the button again then; what was read is kept.`;
  }

  // {url, html} of a page of that site, or {error}; `stop` ends it.
  async function page(address, site, credentials, stop) {
    const ends = AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(stop ? [stop] : [])]);
    let answer, html;
    try {
      answer = await fetch(address, { credentials, cache: "no-store", signal: ends });
      html = await decoded(answer);
    } catch {
      if (stop?.aborted) return { error: "Stopped. What was read is kept." };
      if (ends.aborted) return { error: "The forum did not answer within a minute. What was read is kept." };
      return { error: "Your browser does not let a helper read on from this page. Open the next page, and press the button there.", barred: true };
    }
    if (new URL(answer.url).origin !== site) return { error: "The forum led to another site, so that page was not taken." };
    if (answer.status === 429) return { error: pauseWanted(answer) };
    return { url: answer.url, html };
  }

  return { page };
})();
