new Intl.NumberFormat("de").format(1234.5);
