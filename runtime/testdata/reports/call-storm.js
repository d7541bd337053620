for (;;) {
  try { gg.views.openFile("nope"); } catch {}
}
