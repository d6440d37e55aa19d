// The panel on a page: what became of it, the count of the thread, and what can be done here. It lies in a tree of its
// own that the page cannot reach into, and it answers real clicks alone.
"use strict";

(() => {
  const api = globalThis.browser ?? globalThis.chrome;
  if (globalThis.knightfallPanel) return globalThis.knightfallPanel.again();

  const STYLE = `
    :host { all: initial !important; opacity: 1 !important; visibility: visible !important; display: block !important;
      transform: none !important; filter: none !important; pointer-events: auto !important; clip-path: none !important; }
    section { position: fixed; top: 12px; right: 12px; z-index: 2147483647; width: 320px; max-height: calc(100vh - 24px);
      overflow: auto; box-sizing: border-box; padding: 12px; border: 1px solid #2f5d8a; border-radius: 8px;
      background: #fff; color: #1a1a1a; font: 14px/1.4 system-ui, sans-serif; box-shadow: 0 2px 12px #0004; }
    h2 { font-size: 15px; margin: 0 0 6px; } p, ol { margin: 6px 0; } ol { padding-left: 20px; }
    button { font: inherit; margin: 4px 4px 0 0; padding: 3px 8px; border: 1px solid #2f5d8a; border-radius: 4px;
      background: #eef4fa; color: #12324d; cursor: pointer; } button:focus-visible { outline: 2px solid #12324d; }
    input[type=number] { width: 6em; font: inherit; } progress { width: 100%; } .fault { color: #8a1f11; }
    @media (prefers-color-scheme: dark) { section { background: #1d232a; color: #eee; } .fault { color: #ffb4a8; }
      button { background: #24364a; color: #e4eefa; } }`;

  const host = document.createElement("knightfall-helper");
  const root = host.attachShadow({ mode: "closed" });
  const state = { told: null, count: null, badges: true, quiet: false, reading: null, closed: false, unpaired: false };

  const ask = async (said) => {
    try {
      return (await api.runtime.sendMessage(said)) ?? { error: "The helper was updated. Load this page again." };
    } catch {
      return { error: "The helper was updated or switched off. Load this page again." };
    }
  };

  function element(name, text = "", more = {}) {
    const made = document.createElement(name);
    made.textContent = text;
    return Object.assign(made, more);
  }
  function button(label, act) {
    const made = element("button", label, { type: "button" });
    made.addEventListener("mousedown", (event) => event.preventDefault()); // who writes there keeps the cursor
    made.addEventListener("click", (event) => event.isTrusted && act());
    return made;
  }

  // ── what is shown ──

  const section = document.createElement("section");
  section.setAttribute("aria-label", "Knightfall");
  const status = element("p");
  status.setAttribute("role", "status");
  const say = (text, fault = false) => {
    status.textContent = text;
    status.classList.toggle("fault", fault);
  };
  const parts = { progress: element("progress"), count: element("div"), letters: element("div"), reply: element("div"), ways: element("div") };
  parts.progress.hidden = true;

  function shown() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    try {
      root.adoptedStyleSheets = [sheet];
    } catch {
      root.append(element("style", STYLE)); // a browser that keeps sheets of helpers and pages apart
    }
    section.append(element("h2", "Knightfall"), status, ...Object.values(parts));
    root.append(section);
    document.documentElement.append(host);
  }

  let waysShown = "";
  function showWays() {
    const ways = [];
    if (state.reading) ways.push(["Stop", () => state.reading.abort()]);
    if (state.unpaired) ways.push(["Pair it", () => ask({ ask: "pair" })]);
    if (state.told?.to) ways.push(["Look at it in Knightfall", () => ask({ ask: "open", to: state.told.to })]);
    if (state.told?.kind === "thread") {
      ways.push([state.quiet ? "Show the count here" : "Hide it while players look on", hush]);
      if (!state.quiet) ways.push([state.badges ? "No badges" : "Badges at the posts", turnBadges]);
      ways.push(["Keep this thread up to date", () => ask({ ask: "keep", thread: state.told.thread })]);
    }
    ways.push(["Paste into reply", fetchReply], ["Close", close]);
    // Buttons that stay are not made anew: a click that began on one ends on it.
    const labels = ways.map(([label]) => label).join("\n");
    if (labels === waysShown) return;
    waysShown = labels;
    parts.ways.replaceChildren(...ways.map(([label, act]) => button(label, act)));
  }

  function showCount() {
    const count = state.count;
    if (!count || state.quiet) return parts.count.replaceChildren();
    const day = element("p", `Day ${count.day}, as of #${count.at}${count.at < count.last ? ` of #${count.last}` : ""}${count.complete ? "" : ": not all of it was read"}`);
    const wagons = element("ol");
    for (const { target, size, voters } of count.wagons) wagons.append(element("li", `${target} ${size}: ${voters.join(", ")}`));
    const rest = element("p", count.not_voting.length ? `Not voting: ${count.not_voting.join(", ")}` : "Everybody votes.");
    const asOf = element("p", "As of post ");
    const number = element("input", "", { type: "number", min: "0", max: String(count.last), value: String(count.at) });
    number.setAttribute("aria-label", "As of post");
    number.addEventListener("change", (event) => event.isTrusted && recount(number.value));
    asOf.append(number, " ", button("The latest", () => recount("")));
    parts.count.replaceChildren(day, ...(count.hammer ? [element("p", `Hammered: ${count.hammer}`)] : []), wagons, rest, asOf);
  }

  function showBadges() {
    if (state.closed || !state.count || !state.badges || state.quiet) return knightfallBadges.clear();
    knightfallBadges.show(state.count.badges, recount);
  }

  function show() {
    showCount();
    showBadges();
    showWays();
  }

  // ── what is done ──

  async function recount(at) {
    const thread = state.told.thread;
    const found = await ask({ ask: "badges", thread, at: String(at) });
    if (state.closed) return;
    if (found.error) return fault(found);
    state.count = found;
    show();
  }

  async function hush() {
    state.quiet = !state.quiet;
    await api.storage.local.set({ quiet: state.quiet });
    show();
  }

  function turnBadges() {
    state.badges = !state.badges;
    show();
  }

  async function fetchReply() {
    const found = await ask({ ask: "reply" });
    if (found.error) return fault(found);
    if (!found.parts.length) return say("No text lies ready. On Knightfall’s page choose “To the helper” at a post first.", true);
    const one = found.parts.length === 1;
    const buttons = found.parts.map((text, place) =>
      button(one ? "Paste it here" : `Paste part ${place + 1} of ${found.parts.length}`, () => {
        const why = knightfallReply.paste(text, found.rich);
        say(why || "Pasted. Look at it, then send it yourself.", Boolean(why));
      }));
    parts.reply.replaceChildren(element("p", "Click where you write, then:"), ...buttons);
  }

  function letters(told) {
    parts.letters.replaceChildren(...told.choices.map(({ label, to }) => button(label, () => ask({ ask: "open", to }))));
  }

  // The title of a game is not said while players look on: a page can search its screen for words.
  const ofGame = (told) => (state.quiet ? "" : told.game ? `${told.game}: ` : "Of no game here: ");

  function progress(told) {
    say(`${ofGame(told)}${told.again ? "Looking once more: " : ""}${told.said}`);
    parts.progress.hidden = !told.next && !told.again;
    parts.progress.max = told.pages;
    parts.progress.value = told.again ? told.pages : told.here.length;
  }

  function fault(told) {
    state.unpaired = told.fault === "unpaired" || told.fault === "stranger";
    say(told.error, true);
  }

  async function begin() {
    if (state.reading) return;
    const reading = (state.reading = new AbortController());
    try {
      await takeThread(reading);
    } catch (fault) {
      say(`The helper failed (${fault.message}). Load this page again, or copy it and paste it on Knightfall’s page.`, true);
    }
    ended(reading);
  }

  // From here on the button reads again, if it does not already.
  function ended(reading) {
    if (state.reading !== reading) return;
    state.reading = null;
    parts.progress.hidden = true;
    showWays();
  }

  async function takeThread(reading) {
    state.quiet = Boolean((await api.storage.local.get("quiet")).quiet);
    state.unpaired = false;
    say("Handing this page over …");
    showWays();
    const send = (page) => ask({ ask: "page", ...page });
    const first = await knightfallReading.first(send, reading.signal);
    if (first.error) return fault(first);
    if (first.kind === "messages") {
      state.told = first;
      say(first.said);
      return letters(first);
    }
    if (first.kind !== "thread") return say("Knightfall said what this helper does not know. Save the helper again.", true);
    state.told = first;
    progress(first);
    showWays();
    const last = await knightfallReading.readOn(first, send, progress, reading.signal);
    state.told = last;
    const ends = last.error || last.barred ? {} : await ask({ ask: "done", thread: last.thread });
    ended(reading);
    if (ends.error) return fault(ends);
    const missing = last.missing.length ? ` Missing: page ${last.missing.join(", ")} of ${last.pages}.` : "";
    const whole = `All ${last.pages} ${last.pages === 1 ? "page is" : "pages are"} here.`;
    if (last.error) return say(`${last.error}${missing}`, true);
    say(`${ofGame(last)}${last.missing.length ? last.said : whole}${missing}`);
    const found = await ask({ ask: "badges", thread: last.thread, at: "" });
    if (state.closed || reading.signal.aborted) return;
    if (found.error) return fault(found);
    state.count = found;
    show();
  }

  function close() {
    state.closed = true;
    state.reading?.abort();
    knightfallBadges.clear();
    host.remove();
    delete globalThis.knightfallPanel;
  }

  globalThis.knightfallPanel = { again: begin };
  shown();
  begin();
})();
