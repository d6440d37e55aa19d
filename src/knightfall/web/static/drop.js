// The window that a bookmark opens from the page of a forum. It takes one page from the window that opened it, names
// the site that the browser says it is of, and asks before it takes the first one of a site.
"use strict";

const MOST = 16 * 1024 * 1024;
const SETTLES = 800; // milliseconds: a click that was meant for something else is not an answer
const at = (id) => document.getElementById(id);
const say = (text) => (at("said").textContent = text);
const opener = window.opener;
let taken = false;

async function send(origin, url, html, token) {
  at("asks").hidden = true;
  say("Reading the page …");
  const form = new FormData();
  for (const [name, value] of Object.entries({ form_token: token, origin, url, pasted: html })) form.append(name, value);
  let told;
  try {
    const answer = await fetch("/drop/paste", { method: "POST", body: form });
    told = await answer.json();
  } catch {
    return say("Knightfall did not answer, so the page was not taken. Is it still running?");
  }
  if (told.error) return say(told.error);
  if (told.kind === "messages") {
    say(told.said);
    at("missing").replaceChildren(...told.choices.map(({ label, to }) => {
      const link = document.createElement("a");
      Object.assign(link, { href: to, textContent: label, target: "knightfall-page", className: "button" });
      return link;
    }));
    at("on").hidden = true;
    at("done").hidden = false;
    return;
  }
  say(told.game ? `${told.game}: ${told.said}` : told.said);
  at("missing").textContent = told.missing.length
    ? `Missing: page ${told.missing.join(", ")} of ${told.pages}. Open each and click the bookmark again.`
    : "All its pages are here.";
  at("on").href = told.to;
  at("done").hidden = false;
  at("on").focus();
}

async function take(event) {
  const given = event.data;
  if (taken || !opener || event.source !== opener || !given || given.knightfall !== 1) return;
  if (typeof given.html !== "string" || typeof given.url !== "string") return;
  taken = true;
  const origin = event.origin;
  if (new Blob([given.html]).size > MOST) {
    return say("The page is larger than 16 MiB, so it was not taken. Save it in your browser and choose the file.");
  }
  let known;
  try {
    const answer = await fetch(`/drop/site?origin=${encodeURIComponent(origin)}`);
    if (answer.status === 403) {
      return say("This browser is not let in to your games. Open Knightfall in it first (in another browser choose “Browsers”, “Pair another browser”), then click the bookmark again.");
    }
    known = await answer.json();
  } catch {
    return say("Knightfall did not answer. Is it still running?");
  }
  if (known.known) return send(origin, given.url, given.html, known.form_token);
  at("origin").textContent = origin;
  at("size").textContent = `${Math.ceil(given.html.length / 1024)} kB`;
  say("");
  at("asks").hidden = false;
  at("take").addEventListener("click", (click) => {
    if (click.isTrusted) send(origin, given.url, given.html, known.form_token);
  }, { once: true });
  settle();
}

// The button works once this window has been in front for a moment.
let settling = 0;
function settle() {
  clearTimeout(settling);
  at("take").disabled = true;
  if (document.hasFocus() && !document.hidden) settling = setTimeout(() => (at("take").disabled = false), SETTLES);
}
for (const what of ["focus", "blur"]) window.addEventListener(what, settle);
document.addEventListener("visibilitychange", settle);

document.addEventListener("DOMContentLoaded", () => {
  for (const id of ["refuse", "close"]) at(id).addEventListener("click", () => window.close());
  if (!opener) {
    return say("This forum cuts its windows off from each other, so its page cannot be handed over by the bookmark. Copy the page (Ctrl-A, Ctrl-C) and paste it on Knightfall’s page (Ctrl-V), or use the helper.");
  }
  window.addEventListener("message", take);
  opener.postMessage("knightfall is ready", "*");
});
