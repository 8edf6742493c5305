extension String {
  /// The registered policy that a mapping model means. The names are equal, or one of them has a module in front
  /// (`App.HutPolicy` and `HutPolicy`).
  ///
  /// Core Data needs the module or rejects it, depending on how the class was built. Apps write both.
  ///
  /// - Returns: nil if none fits, or more than one.
  package func matchPolicyName(among registered: some Collection<String>) -> String? {
    if registered.contains(self) { return self }
    let bare = withoutModule
    let found = registered.filter { candidate in
      // Two different modules are two different policies.
      candidate.withoutModule == bare && (candidate == bare || self == bare)
    }
    return found.count == 1 ? found.first : nil
  }

  /// `App.HutPolicy` → `HutPolicy`.
  var withoutModule: String { split(separator: ".").last.map(String.init) ?? self }
}
