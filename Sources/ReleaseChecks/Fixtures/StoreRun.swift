import Foundation
package import ManagedModel
import ModelMigration
import PersistentStore

/// Migrates one store of a released version along a path, always to a new file, and compares the results with the store.
struct StoreRun {
  /// As the user knows it.
  let store: String
  let version: ModelVersion
  let model: VersionedModel
  /// Mapping models and policies, where inference is not all.
  let custom: CustomMigrations
  let options: CheckOptions

  /// One migration and everything that can be said of its result, and, where asked for, the same version by version.
  ///
  /// - Parameters:
  ///   - path: from the store's version to the target.
  ///   - isFinal: whether the target is the current version, which is looked at most closely.
  func run(
    along path: [ModelVersion], isFinal: Bool, in folder: URL, flaws: Set<String>
  ) -> (findings: [Diagnostic], seconds: Double) {
    guard let target = path.last else { return ([], 0) }
    let result = folder.appending(path: "\(version.name)-\(target.name).sqlite").path
    var findings: [Diagnostic] = []
    do {
      let (report, losses) = try migrateNamingLosses(to: path, at: result)
      findings += losses
      findings += try verify(result, target, flaws: flaws)
      // Objects that a mapping model makes are others than those of the store; its passes have counted them.
      let isInferred = report.plan.segments.allSatisfy(\.isInferred) && report.plan.postProcessing.isEmpty
      if isInferred { findings += try account(of: result, losing: report.plan.losses) }
      if isFinal, path.count > 2 {
        // Where the models say that values differ, they do.
        let steps = isInferred ? InferredSteps().composed(along: path[...]) : nil
        let isSame = steps.flatMap { path.comparePaths(stepwise: $0) } == nil
        findings += try compareStepwise(path, with: result, in: folder, byValue: isInferred && isSame)
      }
      if isFinal {
        findings += budgetFindings(
          target, seconds: report.seconds, bytes: size(of: result), named: "'\(store)'")
      }
      return (findings, report.seconds)
    } catch {
      return (findings + explain(error, target), 0)
    }
  }

  /// One migration for its time and space alone.
  ///
  /// - Parameter name: what findings call the store.
  func measure(
    along path: [ModelVersion], in folder: URL, named name: String
  ) -> (findings: [Diagnostic], seconds: Double) {
    guard let target = path.last else { return ([], 0) }
    let result = folder.appending(path: "result.sqlite").path
    do {
      // The kept stores report losses.
      let report = try migrate(store, to: target, at: result, accepting: dataLosses)
      let bytes = size(of: result)
      return (budgetFindings(target, seconds: report.seconds, bytes: bytes, named: name), report.seconds)
    } catch {
      return (explain(error, target), 0)
    }
  }

  /// Errors that the store has already, so that a migration is not blamed for them.
  func flaws() throws -> Set<String> {
    Set(try findings(ofStoreAt: store, as: version).map { key($0.diagnostic) })
  }

  /// Migrates the store to the last version of a path, even if data is lost.
  ///
  /// - Returns: the losses that nobody has named: neither a version on the way under `retired:`, nor a later one,
  ///   which says it for a released version that nobody may change any more.
  private func migrateNamingLosses(
    to path: [ModelVersion], at result: String
  ) throws -> (report: MigrationReport, losses: [Diagnostic]) {
    guard let target = path.last else { throw DiagnosticsError([]) }
    do {
      return (try migrate(store, to: target, at: result, accepting: []), [])
    } catch let error as MigrationRefusedError {
      let refusals = error.plan.diagnostics.filter { $0.severity == .error }
      guard refusals.allSatisfy(\.isLoss) else { throw error }
      let report = try migrate(store, to: target, at: result, accepting: dataLosses)
      return (report, refusals.filter { !isNamedLater($0, than: target) }.map(attributed))
    }
  }

  private func isNamedLater(_ loss: Diagnostic, than target: ModelVersion) -> Bool {
    guard loss.code == .droppedData, let entity = loss.subject?.entity else { return false }
    let name = loss.subject?.property.map { "\(entity).\($0)" } ?? entity
    return model.versions.contains { later in
      (later.retired.contains(name) || later.retired.contains(entity))
        && model.origins(of: later).contains { $0.name == target.name }
    }
  }

  /// With the store that shows it.
  private func attributed(_ finding: Diagnostic) -> Diagnostic {
    var found = AcceptedLoss.inCheck(finding, version.notation)
    found.notes.insert("'\(store)' is \(version.name)", at: 0)
    return found
  }

  /// The one place from which stores are migrated.
  func migrate(
    _ store: String, to target: ModelVersion, at result: String, accepting losses: Set<AcceptedLoss>
  ) throws -> MigrationReport {
    var options = MigrationOptions(targetVersion: target.name, acceptedLosses: losses)
    options.allowsDowngrade = true
    return try migrateStore(at: store, models: [model], to: .file(result), options: options, custom: custom)
  }

  /// By the rules of that version: others with its hashes may have other ones.
  private func findings(ofStoreAt path: String, as version: ModelVersion) throws -> [Verification.Finding] {
    var limited = model
    (limited.versions, limited.currentVersionName) = ([version], version.name)
    let own = limited
    return try openStore(path, among: [own]).read { db in
      try verifyStore(db, name: path, path: path, among: [own])
    }.findings.filter { $0.diagnostic.severity == .error }
  }

  private func verify(_ result: String, _ target: ModelVersion, flaws: Set<String>) throws -> [Diagnostic] {
    try findings(ofStoreAt: result, as: target).filter { !flaws.contains(key($0.diagnostic)) }
      .map { removedCases($0, target) ?? .unsoundResult($0.diagnostic, store, target.name) }
  }

  /// Rows of the store as it is with raw values that no case has: no hash holds the cases, and no migration runs.
  func removedCases() throws -> [Diagnostic] {
    guard version.notation == .swiftData else { return [] }
    return try findings(ofStoreAt: store, as: version).compactMap { removedCases($0, version) }
  }

  private func removedCases(_ finding: Verification.Finding, _ version: ModelVersion) -> Diagnostic? {
    guard finding.diagnostic.code == .ruleBroken, let subject = finding.diagnostic.subject,
      let entity = version.model.entities.first(where: { $0.name == subject.entity }),
      let attribute = entity.attributes.first(where: { $0.name == subject.property }),
      attribute.enumTypeName != nil
    else { return nil }
    let (count, property) = (finding.count ?? 1, "'\(entity.name).\(attribute.name)'")
    return Diagnostic(
      .removedCases, .error,
      "\(counted(count, "row")) of '\(store)' \(count == 1 ? "has" : "have") a value of \(property) that no case has",
      subject: ModelSubject(version: version.name, entity: entity.name, property: attribute.name),
      place: version.sourceMap?.nearestRange(to: subject),
      notes: ["the app crashes when it reads such a row"],
      help: ["keep a case with that raw value until no row has it: move the rows in a custom stage first"])
  }

  private func key(_ finding: Diagnostic) -> String {
    "\(finding.code) \(finding.subject?.entity ?? "") \(finding.subject?.property ?? "")"
  }

  /// - Parameter losses: what is told already.
  private func account(of result: String, losing losses: [MigrationPlan.Loss]) throws -> [Diagnostic] {
    let (old, new) = (try openStore(store, among: [model]), try openStore(result, among: [model]))
    let comparison = try old.read(with: new) { before, after in
      try compareStores(before: before, at: store, after: after, at: result, models: [model])
    }
    let told = losses.map { ModelSubject(entity: $0.entity, property: $0.property) }
    return comparison.diagnostics.filter {
      $0.severity == .error
        && !told.contains(ModelSubject(entity: $0.subject?.entity, property: $0.subject?.property))
    }.map { .unsoundResult($0, store, comparison.to) }
  }

  /// Version by version the same objects must come out.
  ///
  /// - Parameter byValue: whether their values must be the same too; `now()` and policies give others in every run.
  private func compareStepwise(
    _ path: [ModelVersion], with result: String, in folder: URL, byValue: Bool
  ) throws -> [Diagnostic] {
    guard let target = path.last else { return [] }
    var last = store
    for (index, next) in path.dropFirst().enumerated() {
      let file = folder.appending(path: "\(version.name)-step\(index).sqlite").path
      _ = try migrate(last, to: next, at: file, accepting: dataLosses)
      last = file
    }
    let direct = try readAllObjects(ofStoreAt: result, as: target)
    let chained = try readAllObjects(ofStoreAt: last, as: target)
    guard byValue ? direct != chained : direct.map(\.id) != chained.map(\.id) else { return [] }
    let others = Set(zip(direct, chained).filter { $0 != $1 }.map(\.0.id.entityName)).sorted()
    let list = others.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
    return [
      Diagnostic(
        .pathsDiffer, .error, "'\(store)' gives different results in one step and version by version",
        notes: [
          "path: \(path.map(\.name).joined(separator: " → "))",
          list.isEmpty ? "\(direct.count) objects, and \(chained.count)" : "objects that differ: of \(list)",
        ],
        help: [
          "if a mapping model is on the path, let it give the same result on every path; if not, this is a bug in modelc"
        ])
    ]
  }

  private func size(of path: String) -> Int64 { Int64(FileFacts(ofFileAt: path)?.size ?? 0) }

  private func budgetFindings(
    _ target: ModelVersion, seconds: Double, bytes: Int64, named name: String
  ) -> [Diagnostic] {
    guard let budget = options.budget else { return [] }
    var found: [Diagnostic] = []
    if let most = budget.seconds, seconds > most {
      found.append(.overBudget(name, target, "\(tenths(seconds)) s", "\(tenths(most)) s"))
    }
    // The old store and the new one lie side by side until the swap.
    let needed = bytes + size(of: store)
    if let most = budget.bytes, needed > most {
      let mega = Double(1 << 20)
      found.append(
        .overBudget(
          name, target, "\(tenths(Double(needed) / mega)) MB", "\(tenths(Double(most) / mega)) MB"))
    }
    return found
  }

  private func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

  func explain(_ error: any Error, _ target: ModelVersion) -> [Diagnostic] {
    switch error {
    case let error as DiagnosticsError: error.diagnostics
    case let error as MigrationRefusedError:
      error.plan.diagnostics.filter { $0.severity == .error }.map(attributed)
    case let error as MigrationValidationError: error.diagnostics.map(attributed)
    case let error as AtomicStoreError: [error.diagnostic()]
    default:
      [
        Diagnostic(
          .unexpectedResult, .error, "'\(store)' could not be migrated to \(target.name): \(error)",
          help: ["`modelc migrate --dry-run \(store.shellWord)` shows more"])
      ]
    }
  }
}

/// Data that a version has no place for, counted in a store's rows.
let dataLosses: Set<AcceptedLoss> = [.droppedData, .narrowedNumbers]

extension Diagnostic.Code {
  package static let overBudget = Self("MC7005")
  package static let unexpectedResult = Self("MC7010")
}

extension Diagnostic {
  var isLoss: Bool { dataLosses.contains(AcceptedLoss(code)) }

  fileprivate static func unsoundResult(_ finding: Diagnostic, _ store: String, _ target: String) -> Self {
    Self(
      .unexpectedResult, .error, "'\(store)' is not valid after migration to \(target): \(finding.message)",
      subject: finding.subject, place: finding.place,
      notes: [Note("\(finding.code), which the store itself does not have")] + finding.notes,
      help: finding.help)
  }

  fileprivate static func overBudget(
    _ store: String, _ target: ModelVersion, _ needed: String, _ budget: String
  ) -> Self {
    Self(
      .overBudget, .error, "\(store) needs \(needed) to become \(target.name), but the budget is \(budget)",
      subject: ModelSubject(version: target.name), place: target.sourceMap?.nearestRange(to: ModelSubject()),
      help: ["a plan shows which tables are rewritten; split the change, or raise the budget"])
  }
}
