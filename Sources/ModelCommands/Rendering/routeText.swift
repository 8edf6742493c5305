import ModelMigration

/// The lines of a plan that say on which route it is carried out, and why.
func routeLines(_ plan: MigrationPlan) -> [String] {
  let steps = plan.steps.count > 1 ? ", \(plan.steps.count) steps in one" : ""
  return [
    "  route  \(plan.route.rawValue)\(steps): \(plan.route.procedure)", "         \(plan.routeReason)",
  ]
}
