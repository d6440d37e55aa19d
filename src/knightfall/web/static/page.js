// What forms and links cannot do: the clipboard, a slider that says its value, dropped files, arrows on a board.
// Every page works without it.
"use strict";

const HOME = `/${location.pathname.split("/")[1]}`; // how each address of this run begins

async function copyText(area, rich) {
  if (rich && window.ClipboardItem) {
    const kinds = { "text/html": area.value, "text/plain": area.value };
    const blobs = {};
    for (const [kind, text] of Object.entries(kinds)) blobs[kind] = new Blob([text], { type: kind });
    await navigator.clipboard.write([new ClipboardItem(blobs)]);
    return;
  }
  try {
    await navigator.clipboard.writeText(area.value);
  } catch {
    area.select();
    document.execCommand("copy");
  }
}

function ready(root) {
  // A text is copied by its button, which then sends the form that notes so, where there is one.
  for (const button of root.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.textContent = button.dataset.label;
    button.addEventListener("click", async (event) => {
      if (button.dataset.done) return;
      event.preventDefault();
      await copyText(document.getElementById(button.dataset.copies), button.dataset.rich);
      button.textContent = "Copied";
      if (!button.form) return setTimeout(() => (button.textContent = button.dataset.label), 2000);
      button.dataset.done = "1";
      button.form.requestSubmit(button);
    });
  }
  // All parts of a post that stand together are given to the helper in the browser, in order.
  for (const button of root.querySelectorAll("button.to-helper")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const own = document.getElementById(button.dataset.hands), form = new FormData(), said = button.textContent;
      const together = [...own.closest("section, div.parts, main").querySelectorAll(".copybox textarea")];
      form.append("form_token", button.dataset.token);
      form.append("came", location.pathname.slice(HOME.length) + location.search);
      if (button.dataset.rich) form.append("rich", "1");
      for (const area of together) form.append("part", area.value);
      const answer = await fetch(`${HOME}/bring/text`, { method: "POST", body: form }).catch(() => null);
      button.textContent = answer && answer.ok ? "Given to the helper" : "That did not work";
      // What was given to it goes out, as what was copied does.
      if (answer && answer.ok && button.form) return button.form.requestSubmit();
      setTimeout(() => (button.textContent = said), 2000);
    });
  }
  for (const input of root.querySelectorAll("[data-says]")) {
    const output = document.getElementById(input.dataset.says);
    input.addEventListener("input", () => (output.textContent = input.value));
  }
  for (const input of root.querySelectorAll("[data-sends]")) {
    input.addEventListener("change", () => input.form.requestSubmit());
  }
  for (const button of root.querySelectorAll("[data-ticks]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      for (const box of button.form.querySelectorAll(`input[name="${button.dataset.ticks}"]`)) box.checked = true;
    });
  }
  // What needs a tick first is locked until it is there.
  for (const box of root.querySelectorAll("[data-unlocks]")) {
    const button = document.getElementById(box.dataset.unlocks);
    const lock = () => (button.disabled = !box.checked);
    box.addEventListener("change", lock);
    lock();
  }
  // Nothing is sent twice by a second click.
  for (const form of root.querySelectorAll('form[method="post"]')) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "1";
    });
  }
  for (const place of root.querySelectorAll("form.drop")) {
    const input = place.querySelector('input[type="file"]');
    place.addEventListener("dragover", (event) => event.preventDefault());
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      input.files = event.dataTransfer.files;
    });
  }
}

// A page of a forum that is pasted, wherever on the page, is sent at once. A field keeps what is meant for it: that
// of an address takes one line, and that of Start whatever is no page.
const MOST = 16 * 1024 * 1024;
const SOURCE = /^\s*(<!doctype|<html|<\?xml|\{[\s\S]*\}\s*$)/i;
function pastedPage(event) {
  const form = document.querySelector("form.paste"), at = event.target;
  if (!form || !event.clipboardData || form.dataset.sent) return;
  const box = form.querySelector("textarea[name=pasted]"), said = form.querySelector("[role=status]");
  const text = event.clipboardData.getData("text/plain");
  // The copied source of a page comes as coloured HTML, too.
  const isSource = SOURCE.test(text);
  const page = isSource ? text : event.clipboardData.getData("text/html");
  const takesAll = at.matches("[data-takes-pages]"), isAddress = takesAll || at.matches("input[type=url]");
  if (at !== box && at.matches("input, textarea, select, [contenteditable]") && !isAddress) return;
  if (isAddress && !isSource && (!text.trim().includes("\n") || (takesAll && !page))) return;
  event.preventDefault();
  for (let one = form; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  if (!page) {
    said.textContent = "Only text was pasted, which does not tell who wrote what. Copy the whole page of the thread: Ctrl-A, then Ctrl-C.";
  } else if (new Blob([page]).size > MOST) {
    said.textContent = "What you pasted is larger than 16 MiB, so it was not sent. Paste one page of the thread at a time.";
  } else {
    said.textContent = `Reading the pasted page (${Math.ceil(page.length / 1024)} kB) …`;
    box.value = page;
    if (takesAll) at.value = text.slice(0, 100000); // names come as HTML, too, from wherever they were copied
    form.requestSubmit();
  }
}
document.addEventListener("paste", pastedPage);

// Where a page leads to the next one, the second half of a double click belongs to the page before.
let pressed = false;
document.addEventListener("click", (event) => {
  if (event.detail > 1 && !pressed) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  pressed = true;
}, true);

// A votecount that is looked at shows what was read since: the server tells its version as an event. A browser
// has six connections for us, so its tabs share one stream of a game: who holds the lock listens, and tells the
// others. Who is not on the screen lets go of it.
function follow(address) {
  const tabs = new BroadcastChannel(address);
  const lost = document.getElementById("live-lost");
  let latest = null, asked = null, leaving = null, leads = false, gone = false;

  function refresh() {
    const live = document.getElementById("live");
    // Nothing is taken away under the hands of who writes there, or copies.
    if (latest === null || latest === asked || latest === live.dataset.version) return;
    const at = document.activeElement;
    if (gone || document.hidden || (live.contains(at) && at.tagName !== "SUMMARY")) return;
    asked = latest;
    htmx.trigger(live, "changed");
  }
  function heard(news) {
    lost.hidden = !news.lost;
    if (!news.lost) latest = news.version;
    refresh();
  }
  function tell(news) {
    heard(news);
    tabs.postMessage(news);
  }
  function listen() {
    leaving = new AbortController();
    const { signal } = leaving;
    const leading = () => new Promise((done) => {
      const events = new EventSource(address);
      leads = true;
      events.onmessage = (event) => tell({ version: event.data, lost: false });
      events.onerror = () => tell({ version: latest, lost: true });
      signal.addEventListener("abort", () => {
        events.close();
        leads = false;
        done();
      });
    });
    // Who leaves before the lock is free does not get it, which is no fault.
    navigator.locks.request(address, { signal }, leading).catch(() => {});
    tabs.postMessage("what is the latest?");
  }

  tabs.onmessage = ({ data }) => {
    if (data !== "what is the latest?") heard(data);
    else if (leads && latest !== null) tabs.postMessage({ version: latest, lost: false });
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return leaving.abort();
    listen();
    refresh();
  });
  document.addEventListener("focusout", () => setTimeout(refresh));
  document.addEventListener("htmx:afterSettle", refresh);
  for (const failed of ["htmx:sendError", "htmx:responseError"]) {
    document.addEventListener(failed, () => (asked = null));
  }
  window.addEventListener("beforeunload", () => (gone = true));
  window.addEventListener("pagehide", () => leaving && leaving.abort());
  if (!document.hidden) listen();
}

// What is about to lead elsewhere asks no more: each new answer would begin the way there anew.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const asked = event.detail.elt;
  if (event.detail.xhr.getResponseHeader("HX-Redirect")) asked.replaceWith(asked.cloneNode(true));
});

// What was opened or closed by hand stays so when its part of the page is shown anew.
document.addEventListener("htmx:beforeSwap", (event) => {
  const open = new Map(), at = document.activeElement.closest("summary")?.parentElement.dataset.keeps;
  for (const one of event.detail.target.querySelectorAll("details[data-keeps]")) open.set(one.dataset.keeps, one.open);
  document.addEventListener("htmx:afterSwap", () => {
    for (const one of document.querySelectorAll("details[data-keeps]")) {
      if (open.has(one.dataset.keeps)) one.open = open.get(one.dataset.keeps);
      if (at === one.dataset.keeps) one.querySelector("summary").focus({ preventScroll: true });
    }
  }, { once: true });
});

// What is shown in place of what had the focus takes it over; who had it elsewhere, or nowhere, keeps it there. A
// list that was folded is followed by a list: in the fields of a part that follows the thread, nothing is shown anew.
let lost = "";
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.contains(document.activeElement)) lost = document.activeElement.tagName;
});
document.addEventListener("htmx:afterSettle", (event) => {
  const had = lost;
  lost = "";
  if (!had || document.activeElement !== document.body || event.detail.elt === document.body) return;
  const kind = had === "SUMMARY" ? "summary" : "button:not([disabled]), a[href], input:not([type=hidden]), select";
  const first = event.detail.elt.querySelector(kind);
  if (first) first.focus({ preventScroll: true });
});

// On a board the arrows lead to the nearest space that way.
document.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const here = document.activeElement.closest(".click-board a");
  if (!way || !here || event.altKey || event.ctrlKey || event.metaKey) return;
  const middle = (one) => {
    const at = one.getBoundingClientRect();
    return [at.x + at.width / 2, at.y + at.height / 2];
  };
  const [x, y] = middle(here);
  let nearest = null, least = Infinity;
  for (const one of here.closest("svg").querySelectorAll("a")) {
    const [dx, dy] = [middle(one)[0] - x, middle(one)[1] - y];
    const ahead = dx * way[0] + dy * way[1], aside = Math.abs(dx * way[1] + dy * way[0]);
    if (ahead > 1 && ahead + 2 * aside < least) [nearest, least] = [one, ahead + 2 * aside];
  }
  if (nearest) nearest.focus();
  event.preventDefault();
});

document.addEventListener("DOMContentLoaded", () => {
  ready(document);
  // On a narrow screen the page that is open may stand outside of the row of pages.
  const row = document.querySelector(".pages"), at = row && row.querySelector("[aria-current]");
  if (at) row.scrollLeft = at.offsetLeft - row.offsetLeft - (row.clientWidth - at.offsetWidth) / 2;
  const live = document.getElementById("live");
  if (live) follow(live.dataset.live);
});
document.addEventListener("htmx:load", (event) => event.detail.elt !== document.body && ready(event.detail.elt));
// A page that comes back from the browser's memory can be sent again.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

// A session without a name of its own lives as long as its tab asks.
if (location.hostname === "127.0.0.1") setInterval(() => fetch(`${HOME}/sessions`, { method: "HEAD" }), 30000);
