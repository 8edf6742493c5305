package import ManagedModel
import ModelMigration
import PersistentStore

extension CheckedModel {
  /// Between which versions a downgrade leads: from the current one to the last released one, or where no lock says what
  /// was released to the one before. Nil if nothing stands before it.
  private var reversal: (from: ModelVersion, to: ModelVersion)? {
    guard let current = model.currentVersion else { return nil }
    let former = model.origins(of: current).dropFirst()
    return (former.first { lock?.entry($0.name) != nil } ?? former.first).map { (current, $0) }
  }

  /// Whether there is a downgrade, by the models and the mapping models.
  func checkReversal() -> [CheckStep] {
    guard let (current, released) = reversal else { return [] }
    let back = downgrade(from: current, to: released, of: model, custom: mappings.custom)
    let found = back?.diagnostics.map { finding in
      guard finding.severity == .error else { return finding }
      return Diagnostic(
        .noDowngradePath, .error,
        "there is no downgrade path from '\(current.name)' to '\(released.name)': \(finding.message)",
        subject: finding.subject, place: finding.place,
        notes: [Diagnostic.Note("\(finding.code)")] + finding.notes,
        help: [
          "define under `reverse:` in the mapping model from '\(released.name)' to '\(current.name)' how its objects are created"
        ])
    }
    return [step(.path, "\(current.name) → \(released.name)", found ?? [])]
  }

  /// Whether kept stores of the released version that go there and back are what they were.
  func checkReversedStores(_ options: CheckOptions) -> [CheckStep] {
    guard let (current, released) = reversal else { return [] }
    let kept = keptStores().stores.filter { $0.version == released.name }
    let own = options.stores.filter { (try? model.versionOfStore(at: $0, wanted: released.name)) != nil }
    return (kept.map(\.path) + own).map { path in
      let run = StoreRun(
        store: path, version: released, model: model, custom: mappings.custom, options: options)
      return step(
        .store, "\(released.name) → \(current.name) → \(released.name)", goThereAndBack(run, by: current))
    }
  }

  private func goThereAndBack(_ run: StoreRun, by current: ModelVersion) -> [Diagnostic] {
    do {
      let temporary = try TemporaryFolder("reversible")
      defer { temporary.remove() }
      let (there, back) = (temporary.path + "/there.sqlite", temporary.path + "/back.sqlite")
      let first = try run.migrate(run.store, to: current, at: there, accepting: dataLosses)
      let second = try run.migrate(there, to: run.version, at: back, accepting: dataLosses)
      let keepsKeys = (first.plan.segments + second.plan.segments).allSatisfy(\.isInferred)
      return try differences(run.store, back, lost: first.plan.losses, byKey: keepsKeys)
    } catch {
      return run.explain(error, run.version)
    }
  }

  /// What is not as it was, apart from what the way there lists as lost.
  private func differences(
    _ before: String, _ after: String, lost: [MigrationPlan.Loss], byKey: Bool
  ) throws -> [Diagnostic] {
    let (old, new) = (try openStore(before, among: [model]), try openStore(after, among: [model]))
    let current = model.currentVersionName
    func isLost(_ entity: String, _ property: String?) -> Bool {
      lost.contains { $0.entity == entity && ($0.property == nil || $0.property == property) }
    }
    return try old.read(with: new) { one, other in
      if byKey {
        return try compareStores(
          before: one, at: before, after: other, at: after, models: [model]
        ).diagnostics.filter { finding in
          finding.severity == .error && !isLost(finding.subject?.entity ?? "", finding.subject?.property)
        }.map { .roundTripDiffers(before, finding: $0.message, subject: $0.subject, current) }
      }
      let lossy = Set(lost.map(\.entity))
      return try diffStores(
        before: one, at: before, after: other, at: after, among: [model], matching: .values, limit: 0
      ).entities.filter { $0.differing > 0 && !lossy.contains($0.name) }.map { entity in
        let count = entity.changed + max(entity.added, entity.removed)
        let message = "\(count) objects of '\(entity.name)' have changed"
        return .roundTripDiffers(
          before, finding: message, subject: ModelSubject(entity: entity.name), current)
      }
    }
  }
}

extension Diagnostic.Code {
  package static let noDowngradePath = Self("MC7033", level: .path)
  package static let notAsBefore = Self("MC7034", level: .store)
}

extension Diagnostic {
  fileprivate static func roundTripDiffers(
    _ store: String, finding: String, subject: ModelSubject?, _ current: String
  ) -> Self {
    Self(
      .notAsBefore, .error, "'\(store)' changes when it is migrated to '\(current)' and back: \(finding)",
      subject: subject, notes: ["what the downgrade reports as lost is not compared"],
      help: ["define the old values under `reverse:` in a mapping model"])
  }
}
