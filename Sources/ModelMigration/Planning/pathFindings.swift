import Foundation
package import ManagedModel

extension VersionedModel {
  /// Findings about the path as a whole: names that come back, a result that depends on the path, and whether Core Data
  /// itself could migrate. The steps have their own findings.
  ///
  /// - Parameters:
  ///   - path: the versions on the way, the store's own first.
  ///   - mapping: all steps in one.
  ///   - isDirect: whether the way goes past the versions between.
  ///   - isOpen: whether inference, or custom mappings, serve for every step; else the steps' refusals say enough.
  func pathFindings(path: [ModelVersion], mapping: MappingModel, isDirect: Bool, isOpen: Bool) -> [Diagnostic]
  {
    guard path.count > 1, let source = path.first, let target = path.last else { return [] }
    // A downgrade undoes what the names on the way there say.
    var found =
      isDowngradePath(path)
      ? []
      : lineage(of: target).reversed().checkNameHistory(of: Set(path.dropFirst().map(\.name)))
    guard isOpen else { return found }
    if mapping.isInferred, !path.onlyAdds, path.count > 2,
      case let (stepwise, refusals) = path.inferred, !refusals.hasErrors,
      let difference = path.comparePaths(stepwise: stepwise, canMigrateDirectly: isDirect)
    {
      // What one step loses is counted on the rows of this very store.
      found.append(difference.with { $0.severity = .warning })
    }
    let outcome = predictCoreData(from: source, to: target)
    if mapping.isInferred, var warning = outcome.warning(from: source.name, to: target.name) {
      if outcome == .unknownVersion(MigrationPlan.ownModelName) {
        warning.help = ["make it a version of '\(name)', as MC5103 says, and name that in a stage"]
      }
      found.append(warning)
    }
    return found
  }
}

extension [ModelVersion] {
  /// A mapping model that leads past versions, where none is written for the steps between, and the path goes on after it or
  /// begins before it; or one of the main line that stores of a branch do not take (MC3402).
  package func skippedMapping(of model: VersionedModel, _ custom: CustomMigrations) -> Diagnostic? {
    let names = map(\.name)
    func isMapped(_ from: String, _ to: String) -> Bool {
      !custom.mappingModels(of: model.name, from: from, to: to).isEmpty
    }
    guard let first = names.first, let last = names.last, custom.mappingModels[model.name]?.isEmpty == false,
      !isMapped(first, last)
    else { return nil }
    let ends = indices.flatMap { start in indices.dropFirst(start + 2).map { (start, $0) } }
    let passed = ends.first { start, end in
      isMapped(names[start], names[end]) && !(start..<end).contains { isMapped(names[$0], names[$0 + 1]) }
    }
    guard let (start, end) = passed.map({ (names[$0], names[$1]) }) ?? missedStep(of: model, custom)
    else { return nil }
    return Diagnostic(
      .pathsDiffer, .warning, "\(first) → \(last) skips the mapping model of '\(start)' → '\(end)'",
      subject: ModelSubject(version: last),
      notes: ["only stores that go from '\(start)' to exactly '\(end)' get what it computes"],
      help: ["write a mapping model for \(first) → \(last) too, or one for each step"])
  }

  /// The latest step with a mapping model on the main line since a branch left it, if none leads from the branch, and none into
  /// it does the same.
  private func missedStep(of model: VersionedModel, _ custom: CustomMigrations) -> (String, String)? {
    guard let source = first, let target = last, !model.isDowngradePath(self) else { return nil }
    let (own, line) = (model.lineage(of: source).map(\.name), model.lineage(of: target).map(\.name))
    let branch = own.prefix { !line.contains($0) }
    let written = custom.mappingModels[model.name] ?? []
    let into = written.filter { branch.contains($0.destinationVersionName) }
    guard !branch.isEmpty, branch.count < own.count,
      !written.contains(where: { branch.contains($0.sourceVersionName) && !into.contains($0) })
    else { return nil }
    return zip(line.dropFirst(), line.prefix { !own.contains($0) }).first { from, to in
      !contains { $0.name == from }
        && written.contains { step in
          step.versionNames == [from, to] && !into.contains { $0.entityMappings == step.entityMappings }
        }
    }
  }
}

extension PathPlanner {
  /// Whether the way up again, from a version that a downgrade leads to, makes objects anew.
  var returnsByMapping: Bool {
    isDowngrade
      && Array(path.reversed()).segments(
        of: model, custom: request.custom, rule: .auto, stops: [], isContinuation: false
      ).contains { $0.custom != nil }
  }

  /// What conflicts with keeping what is lost, or bringing it back.
  ///
  /// - Parameter isInferred: whether no mapping model makes objects anew, so that their keys tell which is which.
  func keptLossFindings(isInferred: Bool) -> [Diagnostic] {
    let keeping = request.options.keptLosses.flatMap { _ -> String? in
      if !isDowngrade { return "this is an upgrade, and '\(request.store)' stays as its backup" }
      if !isInferred { return "a mapping model creates new objects, so their keys are not kept" }
      return returnsByMapping
        ? "a mapping model creates new objects in the later upgrade, so nothing could be restored" : nil
    }
    let restoring = request.options.restoredLosses.flatMap { kept -> Diagnostic? in
      func refusal(_ reason: String) -> Diagnostic { .nothingToRestore(kept, to: request.store, reason) }
      if !FileManager.default.fileExists(atPath: kept) { return refusal("there is no such file") }
      if !isInferred { return refusal("a mapping model creates new objects, so their keys do not match") }
      if !isDowngrade, path.count > 1 { return nil }
      return refusal("restoring needs an upgrade to the version that the file was saved from")
    }
    return [keeping.map(Diagnostic.nothingToKeep), restoring].compactMap(\.self)
  }
}

extension Diagnostic.Code { package static let keptLosses = Self("MC6510") }

extension Diagnostic {
  static func nothingToKeep(_ reason: String) -> Self {
    Self(
      .keptLosses, .error, "what is lost cannot be saved here: \(reason)",
      help: ["leave out `MigrationOptions.keptLosses`"])
  }

  static func nothingToRestore(_ file: String, to store: String, _ reason: String) -> Self {
    Self(
      .keptLosses, .error, "nothing can be restored from '\(file)': \(reason)",
      notes: ["the store is unchanged"],
      help: FileManager.default.fileExists(atPath: file)
        ? [
          "what the file contains: `modelc inspect \(file.shellWord)`",
          "what the store does not have: `modelc diff \(store.shellWord) \(file.shellWord)`",
        ] : ["name the file that was written when the store was downgraded"])
  }
}
