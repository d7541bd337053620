import fs from "node:fs";
const s = “text”;
const t = s +;
