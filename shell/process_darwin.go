package shell

const rssUnit = 1 // ru_maxrss counts bytes
