import Foundation
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// What came of the way of one store to one version.
enum Outcome: Equatable, Sendable, CustomStringConvertible {
  case migrated
  /// Refused, with the codes of the errors, each once.
  case refused([String])

  init(_ codes: [String]) { self = codes.isEmpty ? .migrated : .refused(codes) }

  var description: String {
    switch self {
    case .migrated: "migrated"
    case .refused(let codes): codes.joined(separator: " ")
    }
  }
}

/// Migrates, or finds the store untouched after a refusal; expects that plan, run and store agree. In process, because
/// several hundred ways are tried.
func migrate(
  _ store: URL, of model: VersionedModel, to version: String, allowing losses: Set<AcceptedLoss> = [],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> Outcome {
  let folder = store.deletingLastPathComponent()
  let before = try FolderSnapshot(folder)
  let report: MigrationReport
  do {
    report = try migrateStore(
      at: store.path, models: [model],
      options: MigrationOptions(targetVersion: version, acceptedLosses: losses))
  } catch let error as MigrationRefusedError {
    #expect(try FolderSnapshot(folder) == before, sourceLocation: sourceLocation)
    let codes = error.plan.diagnostics.filter { $0.severity == .error }.map(\.code.description)
    return .refused(Set(codes).sorted())
  }
  let found = report.diagnostics.filter { $0.severity >= .warning }
  #expect(found.isEmpty, "\(found)", sourceLocation: sourceLocation)

  var planned: [String: Int] = [:]
  for row in report.plan.entities where row.rows > 0 {
    if let destination = row.destination { planned[destination, default: 0] += row.rows }
  }
  #expect(
    try rowCounts(of: store) == planned, "\(store.path) to \(version)", sourceLocation: sourceLocation)
  let (integrity, inspection) = try withStore(store) {
    (try rows("PRAGMA integrity_check", in: $0), try inspectStore($0, among: [model]))
  }
  #expect(integrity == ["ok"], sourceLocation: sourceLocation)
  let versions = inspection.recognition.versions.map(\.versionName)
  #expect(versions.contains(version), sourceLocation: sourceLocation)
  #expect(inspection.diagnostics.isEmpty, "\(inspection.diagnostics)", sourceLocation: sourceLocation)
  return .migrated
}
