package import ManagedModel
import ModelMigration
import PersistentStore

/// The downgrade from the current version to the last released one: whether there is one, and whether kept stores that go
/// there and back are what they were.
struct Reversal {
  private let subject: CheckedModel
  private let current: ModelVersion
  private let released: ModelVersion

  /// Nil if nothing stands before the current version. Where no lock says what was released, the version before the
  /// current one counts.
  init?(of subject: CheckedModel) {
    guard let current = subject.model.currentVersion else { return nil }
    let former = subject.model.origins(of: current).dropFirst()
    guard let released = former.first(where: { subject.lock?.entry($0.name) != nil }) ?? former.first else {
      return nil
    }
    (self.subject, self.current, self.released) = (subject, current, released)
  }

  private var name: String { "\(current.name) → \(released.name)" }

  /// What the models and the mapping models say.
  func checkModels() -> [CheckStep] {
    let back = downgrade(from: current, to: released, of: subject.model, custom: subject.mappings.custom)
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
    return [subject.step(.path, name, found ?? [])]
  }

  /// The kept stores of the released version, there and back.
  func checkStores(_ options: CheckOptions) -> [CheckStep] {
    let kept = subject.keptStores().stores.filter { $0.version == released.name }
    let model = subject.model
    let own = options.stores.filter { (try? model.versionOfStore(at: $0, wanted: released.name)) != nil }
    return (kept.map(\.path) + own).map { path in
      subject.step(.store, "\(released.name) → \(name)", goThereAndBack(path, options))
    }
  }

  private func goThereAndBack(_ path: String, _ options: CheckOptions) -> [Diagnostic] {
    let run = StoreRun(
      store: path, version: released, model: subject.model, custom: subject.mappings.custom, options: options)
    do {
      let temporary = try TemporaryFolder("reversible")
      defer { temporary.remove() }
      let (there, back) = (temporary.path + "/there.sqlite", temporary.path + "/back.sqlite")
      let first = try run.migrate(path, to: current, at: there, accepting: dataLosses)
      let second = try run.migrate(there, to: released, at: back, accepting: dataLosses)
      let keepsKeys = (first.plan.segments + second.plan.segments).allSatisfy(\.isInferred)
      return try differences(path, back, lost: first.plan.losses, byKey: keepsKeys)
    } catch {
      return run.explain(error, released)
    }
  }

  /// What is not as it was, apart from what the way there lists as lost.
  private func differences(
    _ before: String, _ after: String, lost: [MigrationPlan.Loss], byKey: Bool
  ) throws -> [Diagnostic] {
    let (old, new) = (
      try openStore(before, among: [subject.model]), try openStore(after, among: [subject.model])
    )
    func isLost(_ entity: String, _ property: String?) -> Bool {
      lost.contains { $0.entity == entity && ($0.property == nil || $0.property == property) }
    }
    return try old.read(with: new) { one, other in
      if byKey {
        return try compareStores(
          before: one, at: before, after: other, at: after, models: [subject.model]
        ).diagnostics.filter { finding in
          finding.severity == .error && !isLost(finding.subject?.entity ?? "", finding.subject?.property)
        }.map { .roundTripDiffers(before, finding: $0.message, subject: $0.subject, current.name) }
      }
      let lossy = Set(lost.map(\.entity))
      return try diffStores(
        before: one, at: before, after: other, at: after, among: [subject.model], matching: .values, limit: 0
      ).entities.filter { $0.differing > 0 && !lossy.contains($0.name) }.map { entity in
        let count = entity.changed + max(entity.added, entity.removed)
        let message = "\(count) objects of '\(entity.name)' have changed"
        return .roundTripDiffers(
          before, finding: message, subject: ModelSubject(entity: entity.name), current.name)
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
