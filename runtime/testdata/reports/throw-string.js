function check(ok) {
  if (!ok) throw "not ok";
}
check(false);
