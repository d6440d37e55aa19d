// The text of an answer in the charset that its header or its head names; a browser's own reading knows the header only.
// A plain script: modules and pages of forums use it alike.
"use strict";

globalThis.knightfallText = (() => {
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

  return { decoded, pauseWanted };
})();
