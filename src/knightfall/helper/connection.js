// The one way to Knightfall: to a port of this machine, with the token of the pairing, and to nowhere else. Before
// anything is told, whoever listens there shows that it knows the pairing.

const api = globalThis.browser ?? globalThis.chrome;
const PATIENCE = 120000; // milliseconds
const KNOWN = 30000; // milliseconds for which an answer of Knightfall's holds

const PASTE = "Until then: copy the page (Ctrl-A, Ctrl-C) and paste it on Knightfall’s page (Ctrl-V).";
const UNPAIRED = "This helper is not paired with the Knightfall that runs here.";

let shown = { token: "", at: 0 };

async function pairing() {
  const { port, token } = await api.storage.local.get(["port", "token"]);
  return port && token ? { port, token } : null;
}

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const letters = (text) => new TextEncoder().encode(text);

// {answer, told: what it says in JSON}; {} where nobody answers.
async function reach(port, path, how, again = true) {
  const more = { credentials: "omit", cache: "no-store", redirect: "error", signal: AbortSignal.timeout(PATIENCE) };
  let answer;
  try {
    answer = await fetch(`http://127.0.0.1:${port}/helper/${path}`, { ...how, ...more });
  } catch {
    // A browser may keep a connection to a Knightfall that was started again since.
    return again && !more.signal.aborted ? reach(port, path, how, false) : {};
  }
  const told = await answer.json().catch(() => null);
  return told !== null && typeof told === "object" ? { answer, told } : { answer };
}

const silent = (port) => ({
  error: `Knightfall did not answer on port ${port}. Either it is not running, or another program has that port, or your browser does not let this helper reach programs on this machine. ${PASTE}`,
  fault: "silent",
});

// Whether the Knightfall of the pairing listens there: it knows what nobody else can say of a number drawn just now,
// and of its own port.
async function isOurs({ port, token }) {
  if (shown.token === token && Date.now() - shown.at < KNOWN) return {};
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const { answer, told } = await reach(port, `here?nonce=${nonce}`, {});
  if (!answer) return silent(port);
  if (!Array.isArray(told?.proofs)) {
    return { error: `Another program answers on port ${port}. Start Knightfall, and pair the helper with the port that it shows. ${PASTE}`, fault: "stranger" };
  }
  const digest = hex(await crypto.subtle.digest("SHA-256", letters(token)));
  const key = await crypto.subtle.importKey("raw", letters(digest), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const proof = hex(await crypto.subtle.sign("HMAC", key, letters(`${port} ${nonce}`)));
  if (!told.proofs.includes(proof)) return { error: UNPAIRED, fault: "unpaired" };
  shown = { token, at: Date.now() };
  return {};
}

// What Knightfall answers; {error, fault} where it does not: “unpaired”, “silent”, “stranger” or “refused”.
async function ask(path, body) {
  const way = await pairing();
  if (!way) return { error: UNPAIRED, fault: "unpaired" };
  const ours = await isOurs(way);
  if (ours.error) return ours;
  const headers = { "content-type": "application/json", authorization: `Bearer ${way.token}` };
  const how = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const { answer, told } = await reach(way.port, path, how);
  if (!answer || !told) return silent(way.port);
  if (answer.status === 401) {
    shown = { token: "", at: 0 };
    return { error: UNPAIRED, fault: "unpaired" };
  }
  return answer.ok ? told : { error: told.error ?? "Knightfall refused that.", fault: "refused" };
}

// Pairs with the Knightfall on a port; {} or {error}.
async function pair(port, code) {
  const how = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code }) };
  const { answer, told } = await reach(port, "pair", how);
  if (!answer || !told) return silent(port);
  if (!answer.ok || typeof told.token !== "string") return { error: told.error ?? "Knightfall refused that." };
  await api.storage.local.set({ port, token: told.token });
  return {};
}

export { api, ask, pair, pairing };
