import Foundation

extension MappingResolution {
  /// Whether somebody says which of several mapping models comes first. Core Data never joins any: it takes one, or those
  /// that the app hands over, in the app's order.
  mutating func checkOrder() {
    let found = mappingModels.filter { $0.foundPath != nil }
    guard found.count > 1 else { return }
    let paths = found.compactMap(\.foundPath)
    // A policy that asks for what another mapping made finds nothing where that comes later.
    let policies = found.flatMap(\.entityMappings).compactMap(\.policyName)
    diagnostics.append(
      .mappingsWithoutOrder, policies.isEmpty ? .warning : .error,
      "\(paths.count) mapping models from Xcode are for the step from '\(source.name)' to '\(destination.name)', and their order is unclear",
      subject: ModelSubject(version: destination.name),
      notes: [
        "here they run in this order: \(paths.map { "'\($0)'" }.joined(separator: ", then "))",
        policies.isEmpty
          ? "the app may run only one of them"
          : "a policy that looks up objects of a later mapping finds none: their links are lost",
      ],
      help: [
        "adopt them in the order in which the app's migration code runs them: `modelc adopt \(paths.map(\.shellWord).joined(separator: " "))`"
      ])
  }
}

extension Diagnostic.Code { package static let mappingsWithoutOrder = Self("MC4112") }
