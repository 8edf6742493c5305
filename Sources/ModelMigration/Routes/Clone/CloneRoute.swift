/// Alters a private clone of the store, proves it and swaps it in.
struct CloneRoute: Route {
  let procedure = "a private clone is altered, proved and swapped in"
  let keepsRows = true
}
