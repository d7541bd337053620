gg.views.openText("first", "kept");
const missing = "no/such/file";
gg.files.readTextFile(missing);
