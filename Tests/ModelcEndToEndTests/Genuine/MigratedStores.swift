import Foundation
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

extension Workplace {
  /// Plans, and where nothing stands against it migrates; expects that plan, run and store agree.
  func migrate(
    _ path: String, to version: String, options: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let arguments = [path, "-C", "T", "--to", version, "--format", "json"] + options
    let before = try FolderSnapshot(url(path).deletingLastPathComponent())
    let run = try Modelc.run(["plan"] + arguments, in: folder)
    let plan = try run.decoded(as: MigrationRecord.self)
    let errors = plan.diagnostics.filter { $0.severity == "error" }.map(\.code)
    #expect(
      try FolderSnapshot(url(path).deletingLastPathComponent()) == before, sourceLocation: sourceLocation)
    let migration = try Modelc.run(["migrate"] + arguments, in: folder)
    guard errors.isEmpty else {
      #expect(run.code != 0 && migration.code == run.code, "\(migration)", sourceLocation: sourceLocation)
      #expect(
        try FolderSnapshot(url(path).deletingLastPathComponent()) == before, sourceLocation: sourceLocation)
      return .refused(Set(errors).sorted())
    }
    #expect(run.code == 0, sourceLocation: sourceLocation)
    #expect(migration.code == 0, "\(migration)", sourceLocation: sourceLocation)
    #expect(migration.stderr.isEmpty, sourceLocation: sourceLocation)

    var planned: [String: Int] = [:]
    for row in plan.entities where row.rows > 0 {
      if let destination = row.destination { planned[destination, default: 0] += row.rows }
    }
    #expect(try rowCounts(of: url(path)) == planned, "\(path) to \(version)", sourceLocation: sourceLocation)
    let integrity = try withStore(url(path)) { try rows("PRAGMA integrity_check", in: $0) }
    #expect(integrity == ["ok"], sourceLocation: sourceLocation)
    let inspection = try modelc("inspect", path, "-C", "T", "--format", "json")
      .decoded(as: InspectionRecord.self)
    #expect(inspection.versions.contains(version), sourceLocation: sourceLocation)
    #expect(inspection.diagnostics.isEmpty, "\(inspection.diagnostics)", sourceLocation: sourceLocation)
    return .migrated
  }

  /// The versions of the adopted model, oldest first.
  func versions(of model: String) throws -> [String] {
    let list = try String(contentsOf: url("T/Models/\(model)/versions.yaml"), encoding: .utf8)
    return list.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: #/  - ['"]?(.*?)['"]?/#).map { String($0.output.1) }
    }
  }
}
