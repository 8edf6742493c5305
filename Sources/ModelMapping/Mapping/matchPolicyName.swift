/// The registered policy that a mapping model means: the same name, or the same but for a module before it
/// (`App.HutPolicy` and `HutPolicy`), whichever of the two has one.
///
/// Core Data wants the module or must not have it, depending on how the class was built; both are written in the wild.
///
/// - Returns: nil where none is meant, or more than one.
package func matchPolicyName(_ name: String, among registered: some Collection<String>) -> String? {
  if registered.contains(name) { return name }
  let bare = withoutModule(name)
  let found = registered.filter { candidate in
    // Two different modules are two different policies.
    withoutModule(candidate) == bare && (candidate == bare || name == bare)
  }
  return found.count == 1 ? found.first : nil
}

/// `App.HutPolicy` → `HutPolicy`.
func withoutModule(_ name: String) -> String {
  name.split(separator: ".").last.map(String.init) ?? name
}
