// Writes ../regexp_unicode.txt: what the regular expressions of this Node know of Unicode.
//
//	node testdata/regexp_unicode.mjs > new.txt && mv new.txt regexp_unicode.txt        (in runtime/prelude)
//
// The names come from the table as it is; a new script or property is added there as a line without ranges,
// and this program fills it in. It refuses to write a table in which a code point has no script or no category.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const table = fileURLToPath(new URL("../regexp_unicode.txt", import.meta.url));
const names = readFileSync(table, "utf8").split("\n").filter((line) => line && !line.startsWith("#") && !line.startsWith("fold"))
  .map((line) => line.split(" ").slice(0, 2));

// All code points but the surrogates in one string; a surrogate would join the next one.
const parts = [];
for (let c = 0; c <= 0x10ffff; c++) if (c < 0xd800 || c > 0xdfff) parts.push(String.fromCodePoint(c));
const all = parts.join("");

// ranges lists what a property holds as [first, last], in order.
function ranges(escape) {
  const found = [];
  const add = (first, last) => {
    const before = found.at(-1);
    if (before && before[1] + 1 === first) before[1] = last;
    else found.push([first, last]);
  };
  const some = new RegExp(escape + "+", "gu");
  const one = new RegExp("^" + escape + "$", "u");
  let surrogates = false;
  const addSurrogates = () => {
    surrogates = true;
    for (let c = 0xd800; c <= 0xdfff; c++) if (one.test(String.fromCharCode(c))) add(c, c);
  };
  for (const match of all.matchAll(some)) {
    const text = match[0];
    let first = text.codePointAt(0);
    const end = text.codePointAt(text.length - (text.charCodeAt(text.length - 1) >= 0xdc00 && text.charCodeAt(text.length - 1) <= 0xdfff ? 2 : 1));
    if (!surrogates && first > 0xdfff) addSurrogates();
    if (first < 0xd800 && end > 0xdfff) {
      add(first, 0xd7ff);
      addSurrogates();
      first = 0xe000;
    }
    add(first, end);
  }
  if (!surrogates) addSurrogates();
  return found;
}

// write is the distance to a range and, where it holds more than one code point, how many more.
function write(found) {
  let next = 0;
  return found.map(([first, last]) => {
    const gap = (first - next).toString(36);
    const more = last - first;
    next = last + 1;
    return more ? `${gap}+${more.toString(36)}` : gap;
  }).join(",");
}

const size = (found) => found.reduce((sum, [first, last]) => sum + last - first + 1, 0);

// folds lists the sets of code points that the flags iu take for one another, smallest first.
function folds() {
  const cased = ranges("[\\p{CWCF}\\p{CWCM}\\p{CWKCF}\\p{Cased}]").flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
  const buckets = new Map();
  for (const c of cased) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    const text = String.fromCodePoint(c);
    const add = (key) => buckets.set(key, (buckets.get(key) ?? new Set()).add(c));
    for (const t of [text, text.toLowerCase(), text.toUpperCase()]) for (const u of [t, t.toLowerCase(), t.toUpperCase()]) add(u);
  }
  const orbits = new Map();
  for (const members of buckets.values()) {
    for (const a of members) {
      const same = new RegExp(`^\\u{${a.toString(16)}}$`, "iu");
      for (const b of members) {
        if (a >= b || !same.test(String.fromCodePoint(b))) continue;
        const joined = [...new Set([...(orbits.get(a) ?? [a]), ...(orbits.get(b) ?? [b])])].sort((x, y) => x - y);
        for (const c of joined) orbits.set(c, joined);
      }
    }
  }
  return [...new Set(orbits.values())].sort((x, y) => x[0] - y[0]);
}

const lines = [];
const total = { gc: 0, sc: 0 };
const groups = new Set(["C", "L", "LC", "M", "N", "P", "S", "Z"]);
for (const [kind, aliases] of names) {
  const name = aliases.split(",").at(-1);
  if (kind === "scx") continue;
  if (kind === "bp") {
    lines.push(`bp ${aliases} ${write(ranges(`\\p{${name}}`))}`);
    continue;
  }
  const found = ranges(`\\p{${kind}=${name}}`);
  if (!groups.has(aliases.split(",")[0])) total[kind] += size(found);
  lines.push(`${kind} ${aliases} ${write(found)}`);
  if (kind === "sc") {
    const extended = write(ranges(`\\p{scx=${name}}`));
    if (extended !== write(found)) lines.push(`scx ${aliases} ${extended}`);
  }
}
for (const kind in total) if (total[kind] !== 0x110000) throw new Error(`${kind}: the values cover ${total[kind]} code points, want ${0x110000}`);

let last = 0;
const orbits = folds().map((orbit) => orbit.map((c, i) => {
  const distance = c - (i ? orbit[i - 1] : last);
  if (i === 0) last = c;
  return distance.toString(36);
}).join("+"));

console.log(`# Unicode ${process.versions.unicode} as the regular expressions of Node ${process.versions.node} know it. Written by testdata/regexp_unicode.mjs.
#
# A line is: kind, names, ranges. Kinds: gc General_Category, sc Script, scx Script_Extensions where they differ from
# Script, bp binary property. A range is the distance from the end of the one before and, after a +, how many code points
# more than one it holds. fold: sets of code points that are the same under the flags iu; of each the distance from the
# first of the set before, then from one to the next. All numbers in base 36.
${lines.join("\n")}
fold ${orbits.join(",")}`);
