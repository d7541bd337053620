const text = readTextFile("a.txt");
