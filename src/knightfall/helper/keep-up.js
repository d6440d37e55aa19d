// Threads that the moderator wants kept up to date: looked at every few minutes, each with the permission for its site
// that was given for it. Whatever goes wrong is written beside the thread, and that thread waits.

import { api, ask } from "./connection.js";
import "./text.js";

const EVERY = 5; // minutes
const MOST = 50; // pages in one go
const ALARM = "keep threads up to date";

const siteOf = (thread) => `${new URL(thread).origin}/*`;
const rest = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

async function kept() {
  return (await api.storage.local.get("kept")).kept ?? {};
}

async function note(thread, said) {
  const threads = await kept();
  if (thread in threads) await api.storage.local.set({ kept: { ...threads, [thread]: said } });
}

async function keep(thread) {
  await api.storage.local.set({ kept: { ...(await kept()), [thread]: "" } });
  await api.alarms.create(ALARM, { periodInMinutes: EVERY });
}

// Forgets a thread, and gives the permission for its site back where no other thread needs it.
async function forget(thread) {
  const { [thread]: _, ...others } = await kept();
  await api.storage.local.set({ kept: others });
  if (!Object.keys(others).some((one) => siteOf(one) === siteOf(thread))) {
    await api.permissions.remove({ origins: [siteOf(thread)] });
  }
  if (!Object.keys(others).length) await api.alarms.clear(ALARM);
}

async function lookAt(thread) {
  if (!(await api.permissions.contains({ origins: [siteOf(thread)] }))) return "The permission for the site was taken back.";
  const site = new URL(thread).origin, seen = new Set();
  let told = await ask(`next?thread=${encodeURIComponent(thread)}`);
  while (!told.error && told.next && !seen.has(told.next) && seen.size < MOST) {
    if (new URL(told.next).origin !== site) return "The next page is of another site.";
    seen.add(told.next);
    const read = await knightfallText.page(told.next, site, "include");
    if (read.error) return read.error;
    const answer = await ask("pages", { ...read, fresh: true });
    if (!answer.error && answer.thread !== told.thread) return "The forum led to another thread.";
    told = answer;
    await rest(told.pause ?? 0);
  }
  return told.error ?? `Looked at ${new Date().toLocaleTimeString()}.`;
}

async function keepUp(alarm) {
  if (alarm.name !== ALARM) return;
  for (const thread of Object.keys(await kept())) await note(thread, await lookAt(thread));
}

export { forget, keep, keepUp, kept, siteOf };
