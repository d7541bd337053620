class Store {
  constructor() { this.rows = undefined; }
  size() { return this.rows.length; }
}
new Store().size();
