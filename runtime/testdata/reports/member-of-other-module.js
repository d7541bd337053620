gg.openFile("a.txt");
