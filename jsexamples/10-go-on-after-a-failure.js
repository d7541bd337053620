// A call that fails is an exception with a code: decide by it, and go on with what there is.
let settings;
try {
  settings = gg.files.readTextFile("settings.json");
} catch (error) {
  if (!(error instanceof gg.ApiError) || error.code !== "not-found") throw error;
  settings = JSON.stringify({ theme: "dark", indent: 2 }, null, 2) + "\n";
  gg.files.writeFile("settings.json", settings);
}
gg.views.openFile("settings.json");
