/// A private clone of the store is altered, proved and swapped in.
struct CloneRoute: Route {
  let procedure = "a private clone is altered, proved and swapped in"
  let keepsRows = true
}
