/// What Core Data itself would do where modelc migrates.
package enum CoreDataOutcome: Hashable, Sendable {
  case migrates
  /// No mapping can be inferred over this stretch (134140), for these reasons.
  case cannotInfer(from: String, to: String, reasons: [Diagnostic])
  /// No stage names the version (134504).
  case unknownVersion(String)
  /// The store's version stands in a later stage than the target (134506).
  case backwards

  /// The warning for a way that modelc goes and Core Data does not; nil if both do.
  package func warning(from source: String, to target: String) -> Diagnostic? {
    switch self {
    case .migrates: nil
    case .cannotInfer(let from, let to, let reasons):
      .coreDataRefuses(
        source, target, "it infers one step from '\(from)' to '\(to)'",
        reasons.prefix(3).map(\.message), code: 134140)
    case .unknownVersion(let name):
      .coreDataRefuses(
        source, target, "no stage names '\(name)'", [],
        help: "name '\(name)' in a stage, between those of the versions before and after it", code: 134504)
    case .backwards:
      .coreDataRefuses(
        source, target, "the stage of '\(target)' is before that of '\(source)'", [], code: 134506)
    }
  }
}

extension VersionedModel {
  /// Predicts Core Data's own migration of a store: in one step, or through the stages that the model states.
  ///
  /// Without stages Core Data infers from the store's version straight to the target, never through versions between.
  /// With stages it infers from the store's version straight to the beginning of the next custom stage, and after the last
  /// custom stage to the target. Lightweight stages only say where their versions stand. This rule explains every outcome
  /// that has been reported (Apple's forum, thread 804902).
  ///
  /// - Parameters:
  ///   - source: the store's version.
  ///   - target: the version that the app opens it with.
  ///   - hasMapping: whether the app brings a mapping model along for the step; it stands in for inference.
  package func predictCoreData(
    from source: ModelVersion, to target: ModelVersion,
    hasMapping: (_ source: String, _ destination: String) -> Bool = { _, _ in false }
  ) -> CoreDataOutcome {
    var stretches: [(from: ModelVersion, to: ModelVersion)] = []
    var place = source
    func go(to version: ModelVersion) {
      if version.versionChecksum != place.versionChecksum { stretches.append((place, version)) }
      place = version
    }
    if !stages.isEmpty {
      // Core Data knows versions by their checksums alone.
      func stageIndex(of version: ModelVersion) -> Int? {
        stages.firstIndex { stage in
          stage.versionNames.contains { self.version(named: $0)?.versionChecksum == version.versionChecksum }
        }
      }
      guard let start = stageIndex(of: source) else { return .unknownVersion(source.name) }
      guard let end = stageIndex(of: target) else { return .unknownVersion(target.name) }
      if end < start { return .backwards }
      for stage in stages[start...] {
        guard case .custom(let custom) = stage, let current = self.version(named: custom.currentVersionName),
          let next = self.version(named: custom.nextVersionName),
          // A store that has arrived already does not go through it again.
          next.versionChecksum != place.versionChecksum, place.versionChecksum != target.versionChecksum
        else { continue }
        go(to: current)
        go(to: next)
      }
    }
    go(to: target)
    // A mapping model to another version of the same hashes serves as well.
    func isMapped(_ from: ModelVersion, _ to: ModelVersion) -> Bool {
      versions.contains { $0.versionChecksum == to.versionChecksum && hasMapping(from.name, $0.name) }
    }
    for (from, to) in stretches where !isMapped(from, to) {
      let reasons = inferMappingModel(from: from, to: to).diagnostics.filter {
        $0.severity == .error && $0.code != .mappingWanted
      }
      if !reasons.isEmpty { return .cannotInfer(from: from.name, to: to.name, reasons: reasons) }
    }
    return .migrates
  }
}

extension Diagnostic.Code { package static let coreDataRefuses = Self("MC3401") }

extension Diagnostic {
  fileprivate static func coreDataRefuses(
    _ source: String, _ target: String, _ reason: String, _ details: [String],
    help: String =
      "ship a migrated store, link modelc, or define custom stages (`stages:`) for the versions between",
    code: Int
  ) -> Self {
    Self(
      .coreDataRefuses, .warning,
      "by its own rules Core Data would not migrate a store from '\(source)' to '\(target)': \(reason)",
      subject: ModelSubject(version: target), notes: details.map { Note($0) }, help: [help], cocoaCode: code)
  }
}
