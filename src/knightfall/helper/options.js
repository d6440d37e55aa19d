// Pairing, and the threads that are kept up to date.

import { api, pair, pairing } from "./connection.js";
import { forget, keep, kept, siteOf } from "./keep-up.js";

const at = (id) => document.getElementById(id);
function say(text, fault = false) {
  at("state").textContent = text;
  at("state").classList.toggle("fault", fault);
}

async function showKept() {
  const rows = Object.entries(await kept()).map(([thread, said]) => {
    const row = document.createElement("li"), end = document.createElement("button");
    end.type = "button";
    end.textContent = "Stop";
    end.addEventListener("click", async () => (await forget(thread), showKept()));
    row.append(thread, said ? ` – ${said} ` : " ", end);
    return row;
  });
  at("kept").replaceChildren(...rows);
}

at("pair").addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = await pair(Number(at("port").value), at("code").value);
  if (told.error) return say(told.error, true);
  at("code").value = "";
  say("Paired. Open a thread of a forum and press the button of this helper.");
});

const wanted = new URLSearchParams(location.search).get("keep");
if (wanted && /^https?:/.test(wanted)) {
  const place = at("wanted");
  place.hidden = false;
  place.firstElementChild.textContent = `Keep ${wanted} up to date: the helper looks at it every five minutes while this browser is open, as you. For that it needs your permission for ${new URL(wanted).host}.`;
  at("allow").addEventListener("click", async () => {
    if (!(await api.permissions.request({ origins: [siteOf(wanted)] }))) return say("It was not allowed, so nothing changes.", true);
    await keep(wanted);
    place.hidden = true;
    say("It is kept up to date now.");
    showKept();
  });
}

const known = await pairing();
if (known) {
  at("port").value = known.port;
  say(`Paired with Knightfall on port ${known.port}.`);
} else {
  say("Not paired yet.");
}
showKept();
