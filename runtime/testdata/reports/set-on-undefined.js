const state = {};
state.user.name = "x";
