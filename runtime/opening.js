// What an agent sees first: every function in a line, then the pages it asked for.
const all = gg.docs.search("", { limit: 1000 }).hits;
const width = Math.max(...all.map(hit => hit.name.length));
gg.views.openText("functions of gg", all.map(hit => hit.name.padEnd(width) + "  " + hit.brief).join("\n") + "\n\nMore: gg.docs.search(\"words\"), gg.docs.open(\"name\")");
for (const module of gg.args.modules.split(" ").filter(name => name)) gg.docs.open(module);
