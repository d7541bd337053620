// What an engine makes of a regular expression, as text: the same program asks Node and goja. It gives a function
// (pattern, flags, texts) => lines.
(function (pattern, flags, texts) {
  const show = (value) => JSON.stringify(value, (_, v) => (v === undefined ? "undefined" : v))
    .replace(/[\u007f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  let one, all;
  try {
    one = new RegExp(pattern, flags);
    all = new RegExp(pattern, flags.includes("g") ? flags : flags + "g");
  } catch (error) {
    return [`/${pattern}/${flags} ${error.name}`];
  }
  const here = new RegExp(pattern, flags.includes("y") ? flags : flags + "y");
  const lines = [`/${pattern}/${flags}`];
  // split as ECMAScript describes it, by asking at every place.
  const splitSlowly = (text) => {
    const matchAt = (q) => ((here.lastIndex = q), here.exec(text));
    if (text === "") return matchAt(0) ? [] : [text];
    const parts = [];
    let p = 0;
    for (let q = 0; q < text.length; ) {
      const m = matchAt(q);
      const end = Math.min(here.lastIndex, text.length);
      if (m === null || end === p) q += flags.includes("u") ? String.fromCodePoint(text.codePointAt(q)).length : 1;
      else {
        parts.push(text.slice(p, q), ...m.slice(1));
        p = q = end;
      }
    }
    return [...parts, text.slice(p)];
  };
  for (const text of texts) {
    const matches = [...text.matchAll(all)];
    // A match is where it begins and ends, with what its groups hold and how they are called.
    const answer = matches.map((m) => [m.index, m.index + m[0].length, ...m.slice(1), ...(m.groups ? [{ ...m.groups }] : [])]);
    let line = answer.length ? `  ${show(text)} ${show(answer)}` : "";
    // What other methods say follows from the matches; a line has it where an engine disagrees with itself.
    const say = (name, got, want) => {
      if (JSON.stringify(got) === JSON.stringify(want)) return;
      line ||= `  ${show(text)} []`;
      line += ` ${name} ${show(got)}`;
    };
    say("match", text.match(all), answer.length ? matches.map((m) => m[0]) : null);
    let replaced = "", at = 0;
    for (const m of matches) {
      replaced += text.slice(at, m.index) + "<" + m[0] + ">";
      at = m.index + m[0].length;
    }
    say("replace", text.replace(all, "<$&>"), replaced + text.slice(at));
    say("split", text.split(one), splitSlowly(text));
    one.lastIndex = 0;
    const first = one.exec(text);
    say("exec", first && [first.index, ...first], matches[0] ? [matches[0].index, ...matches[0]] : null);
    say("search", text.search(one), matches[0] ? matches[0].index : -1);
    if (line) lines.push(line);
  }
  return lines;
})
