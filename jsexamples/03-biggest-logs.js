// Find the biggest logs below the workspace.
const directories = [""];
const logs = [];
for (const directory of directories) {
  for (const { name, kind, size } of gg.files.listDir(directory)) {
    const path = directory ? `${directory}/${name}` : name;
    if (kind === "directory") directories.push(path);
    else if (kind === "file" && name.endsWith(".log")) logs.push({ path, size });
  }
}
logs.sort((a, b) => b.size - a.size);
const lines = logs.slice(0, 3).map(({ path, size }) => `${size.toLocaleString().padStart(10)}  ${path}`);
gg.views.openText("biggest logs", lines.join("\n"));
