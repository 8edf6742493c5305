import ModelMigration

extension MigrationPlan {
  /// The lines of a plan that say on which route it is carried out, and why.
  var routeLines: [String] {
    let steps = self.steps.count > 1 ? ", \(self.steps.count) steps in one" : ""
    return [
      "  route  \(route.rawValue)\(steps): \(route.procedure)", "         \(routeReason)",
    ]
  }
}
