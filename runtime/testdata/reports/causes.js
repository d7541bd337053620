try {
  JSON.parse("{broken");
} catch (error) {
  throw new Error("settings cannot be read", { cause: error });
}
