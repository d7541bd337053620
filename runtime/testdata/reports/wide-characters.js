const 名前 = null; const emoji = "👩‍👩‍👧"; 名前.長さ;
