gg.views.openText("f", { render: () => 1 });
