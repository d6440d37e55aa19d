// The one way to Knightfall: to a port of this machine, with the token of the pairing, and to nowhere else.

const api = globalThis.browser ?? globalThis.chrome;
const PATIENCE = 120000; // milliseconds

const PASTE = "Until then: copy the page (Ctrl-A, Ctrl-C) and paste it on Knightfall’s page (Ctrl-V).";
const UNPAIRED = "This helper is not paired with Knightfall yet. Press its button, and type the code that Knightfall’s page “Bring pages in” shows.";

async function pairing() {
  const { port, token } = await api.storage.local.get(["port", "token"]);
  return port && token ? { port, token } : null;
}

// What Knightfall answers; {error, fault} where it does not: “unpaired”, “silent”, “stranger” or “refused”.
async function ask(path, body, to) {
  const way = to ?? (await pairing());
  if (!way) return { error: UNPAIRED, fault: "unpaired" };
  const headers = { "content-type": "application/json" };
  if (way.token) headers.authorization = `Bearer ${way.token}`;
  const how = { headers, method: body ? "POST" : "GET", credentials: "omit", cache: "no-store", redirect: "error" };
  if (body) how.body = JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(`http://127.0.0.1:${way.port}/helper/${path}`, { ...how, signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    const error = `Knightfall did not answer on port ${way.port}. Either it is not running, or another program has that port, or your browser does not let this helper reach programs on this machine. ${PASTE}`;
    return { error, fault: "silent" };
  }
  let told = null;
  try {
    told = await answer.json();
  } catch {
    // Told below: what answers is not Knightfall.
  }
  if (told === null || typeof told !== "object") {
    return { error: `Another program answers on port ${way.port}. Start Knightfall, and pair the helper with the port that it shows. ${PASTE}`, fault: "stranger" };
  }
  if (answer.status === 401) return { error: told.error, fault: "unpaired" };
  if (!answer.ok && !told.error) told.error = "Knightfall refused that.";
  return answer.ok ? told : { ...told, fault: "refused" };
}

// Pairs with the Knightfall on a port; {} or {error}.
async function pair(port, code) {
  const told = await ask("pair", { code }, { port });
  if (told.error) return told;
  await api.storage.local.set({ port, token: told.token });
  return {};
}

export { api, ask, pair, pairing };
