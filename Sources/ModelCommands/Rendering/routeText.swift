import ModelMigration

/// The lines of a plan that say on which route it is carried out, and why.
func routeLines(_ plan: MigrationPlan) -> [String] {
  let steps = plan.steps.count > 1 ? ", \(plan.steps.count) steps in one" : ""
  return [
    "  route  \(plan.route.rawValue)\(steps): \(procedure(plan.route))", "         \(plan.routeReason)",
  ]
}

private func procedure(_ route: MigrationRoute) -> String {
  switch route {
  case .inPlace: "one transaction on the store itself"
  case .stagedCopy: "a private clone is altered, proved and swapped in"
  case .newFile: "a new file is filled from the store, proved and swapped in"
  }
}
