const list = [1, 2;
gg.views.openText("list", list);
