#!/usr/bin/env node
// Checks deals without Knightfall: scripts/check-fair.js FILE … Each file holds a game's posts, and its proof if it is over.
const { createHash, createHmac } = require("node:crypto"), { readFileSync } = require("node:fs"), JS = JSON.stringify;
const bytes = hex => Buffer.from(hex, "hex"), sha = what => createHash("sha256").update(what).digest("hex");
const hmac = (key, message) => createHmac("sha256", key).update(message).digest("hex");
const code = c => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"), odd = /[\u007f-\uffff]/g;
const ascii = key => `[${key.map(one => JS(one).replace(odd, code)).join(", ")}]`;
const mix = (seed, one) => bytes(sha(["knightfall mix 2", seed.toString("hex"), one[1]].join("\n")));
const join = (card, side, other) => sha(bytes(side === "<" ? other + card : card + other));
const thrown = (seed, key) => BigInt("0x" + hmac(seed, ascii(key))), all = 1n << 256n;
const below = (seed, key, n, tries = 0, one = thrown(seed, [...key, tries])) =>  // a number from 0 to n - 1, as a draw takes it
  one < all - all % BigInt(n) ? Number(one % BigInt(n)) : below(seed, key, n, tries + 1);
function check(text, lies = [], tell = (when, lie) => when && lies.push(lie)) {
  const last = pattern => ([...text.matchAll(pattern)].pop() || [])[1];
  const root = last(/^Cards: ([0-9a-f]{64})/gm), proof = JSON.parse(last(/^(?:\[code\])?(\{".*"schema":2.*\})/gm) || "null");
  for (const [, slot, role, salt, path] of text.matchAll(/Card check: (.+) \| (.+) \| ([0-9a-f]+) \|(.*)/g)) {
    const steps = path.match(/[<>][0-9a-f]{64}/g) || [], leaf = sha(JS([slot, role, salt]));
    tell(steps.reduce((card, one) => join(card, one[0], one.slice(1)), leaf) !== root, `${slot} was not dealt ${role}`);
    tell(proof && proof.cards[slot] && proof.cards[slot] !== role, `the proof gives ${slot} another card`);
  } if (!proof) return lies;
  const { secret, value, words, terms, cards, commitment, rounds = [] } = proof, parts = proof.parts || [{ path: [], secret, digest: commitment }];
  tell(parts.some(one => one.secret && sha(bytes(one.secret)) !== one.digest), "another secret was committed to");
  const twice = parts.some((one, i) => parts.some((two, j) => i !== j && one.path.every((name, k) => name === two.path[k])));
  tell(proof.parts && (twice || sha(JS(parts.map(one => one.digest))) !== commitment), "other parts were committed to");
  tell(commitment !== last(/^Commitment: ([0-9a-f]{64})/gm) || terms !== last(/^Terms: (\{.*\})/gm), "other terms were posted");
  tell(value !== last(/^(?:\[code\])?Value: ?([0-9a-f]*)/gm) || JS(words) !== last(/^Words: (\[.*\])/gm), "the chance was another");
  const salt = slot => hmac(bytes(secret), JS(["card", slot])).slice(0, 32), slots = JSON.parse(terms).slots;
  let row = secret ? slots.map(slot => sha(JS([slot, cards[slot], salt(slot)]))) : [root];
  while (row.length > 1) row = row.flatMap((card, i) => i % 2 ? [] : i + 1 < row.length ? join(card, ">", row[i + 1]) : card);
  const posted = [...text.matchAll(/^(?:\[code\])?Round (\d+): ([0-9a-f]{64})/gm)].map(([, number, told]) => JS([+number, told]));
  tell(row[0] !== root || posted.some(one => !rounds.map(JS).includes(one)), "the posts have other cards, or another round");
  for (const [path, label, repeat, way, pile, drawn, since = 0] of proof.draws) {
    const part = parts.find(one => one.secret && one.path.every((name, i) => name === path[i])), key = [...path, label, repeat];
    const dealt = bytes(sha(["knightfall deal 2", part && part.secret, value, JS(words), terms].join("\n")));
    const seed = rounds.slice(0, since).reduce(mix, dealt);
    const left = Array.isArray(pile) ? [...pile] : [...Array(pile).keys()].map(String), at = i => below(seed, [...key, i], left.length);
    tell(since > rounds.length || drawn.some((one, i) => one !== (way === "sample" ? left.splice(at(i), 1)[0] : left[at(i)])), `${label} was drawn otherwise`);
  } return lies; }
const found = process.argv.slice(2).map(file => [...new Set(check(readFileSync(file, "utf8")))].join("; ") || "fair");
process.exitCode = (console.log(found.join("\n")), +found.some(one => one !== "fair"));
