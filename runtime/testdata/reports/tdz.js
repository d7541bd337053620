console.log(later);
const later = 1;
