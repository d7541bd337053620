const words = "a,b".spilt(",");
