# A test run that fails in two places.
echo "ok   src/list.txt:1: appends"
echo "FAIL src/list.txt:4: expected 3 items, got 2"
echo "ok   src/tree.txt:2: balances"
echo "FAIL src/tree.txt:7: depth of the left branch is 9"
exit 1
