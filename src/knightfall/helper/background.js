// What happens when the button is pressed, and what the panel on a page may ask for. Only this file and the options
// speak with Knightfall: a page cannot.

import { api, ask, pairing } from "./connection.js";
import { keepUp } from "./keep-up.js";

const PARTS = ["text.js", "reading.js", "badges.js", "reply.js", "panel.js"];

const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Runs the helper's files on a page. A browser may tell of the press a moment before it lets the helper in.
async function runOn(tabId) {
  for (const pause of [50, 250, 1000]) {
    try {
      return await api.scripting.executeScript({ target: { tabId }, files: PARTS });
    } catch {
      await rest(pause);
    }
  }
  return api.scripting.executeScript({ target: { tabId }, files: PARTS });
}

api.action.onClicked.addListener(async (tab) => {
  if (!(await pairing())) return api.runtime.openOptionsPage();
  let text = "", title = "Hand this thread to Knightfall";
  try {
    await runOn(tab.id);
  } catch (fault) {
    // A page of the browser's own, or of a store: nothing may be done there.
    text = "no";
    title = `This page cannot be read by a helper (${fault.message}). Load it again, or open the thread in a tab of its own.`;
  }
  await api.action.setBadgeText({ tabId: tab.id, text });
  await api.action.setTitle({ tabId: tab.id, title });
});

const origin = (address) => {
  try {
    return new URL(address).origin;
  } catch {
    return "";
  }
};

// A page of Knightfall itself, in a tab of its own.
async function open(to) {
  const { port } = await pairing();
  const told = await ask(`address?way=${encodeURIComponent(to)}`);
  if (told.error) return told;
  const { protocol, hostname, port: its, href } = new URL(told.address);
  const here = hostname === "127.0.0.1" || hostname.endsWith(".localhost");
  if (protocol === "http:" && here && Number(its) === port) await api.tabs.create({ url: href });
  return {};
}

const ANSWERS = {
  // A tab hands over its own site's pages, whatever they say of themselves.
  page: ({ url, html, fresh, more }, sender) =>
    origin(url) === origin(sender.url)
      ? ask("pages", { url, html, fresh, more })
      : { error: "A page of another site was not handed over.", fault: "refused" },
  done: ({ thread }) => ask("done", { thread }),
  pair: () => api.runtime.openOptionsPage().then(() => ({})),
  badges: ({ thread, at }) => ask(`badges?thread=${encodeURIComponent(thread)}&at=${encodeURIComponent(at ?? "")}`),
  reply: (_, sender) => ask(`reply?site=${encodeURIComponent(origin(sender.url))}`),
  open: ({ to }) => open(to),
  keep: async ({ thread }) => {
    await api.tabs.create({ url: api.runtime.getURL(`options.html?keep=${encodeURIComponent(thread)}`) });
    return {};
  },
};

api.runtime.onMessage.addListener((said, sender, answer) => {
  const found = sender.id === api.runtime.id && sender.tab && Object.hasOwn(ANSWERS, said.ask) && ANSWERS[said.ask];
  if (!found) return false;
  Promise.resolve(found(said, sender)).then(answer, (fault) => answer({ error: String(fault), fault: "refused" }));
  return true;
});

api.alarms.onAlarm.addListener(keepUp);
