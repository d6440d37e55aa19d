#!/usr/bin/env node
// Checks a deal without Knightfall: scripts/check-fair.js FILE [written=2026-11-28T10:00Z] [mirror=VALUE] [page=check.html]
// FILE holds the posts of a game. The check is the script in the page “Was the deal fair?”: read it there.
const { readFileSync } = require("node:fs"), { join } = require("node:path"), { runInNewContext } = require("node:vm");
const said = Object.fromEntries(process.argv.slice(2).filter(one => /^(written|mirror|page)=/.test(one)).map(one => one.split(/=(.*)/)));
const page = said.page || join(__dirname, "../src/knightfall/writeups/templates/archive/check.html");
const script = readFileSync(page, "utf8").match(/<script>([^]*)<\/script>/)[1];
const { posted, judge, report, verdict } = runInNewContext(script + "; ({ posted, judge, report, verdict })", { TextEncoder });
const beside = { written: said.written && Date.parse(said.written), mirror: said.mirror };
for (const file of process.argv.slice(2).filter(one => !/^(written|mirror|page)=/.test(one))) {
  const found = judge(posted(readFileSync(file, "utf8")), beside);
  console.log(report(found));
  if (verdict(found) !== "Fair") process.exitCode = 1;
}
