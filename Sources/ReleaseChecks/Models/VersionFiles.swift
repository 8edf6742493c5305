import ManagedModel

/// Which version a finding is about.
struct VersionFiles {
  private let names: Set<String>
  private let byFile: [String: String]

  init(of model: VersionedModel) {
    names = Set(model.versions.map(\.name))
    // A Swift file may hold several schemas: then their names alone tell.
    let files = Dictionary(grouping: model.versions.filter { $0.sourceMap != nil }) {
      $0.sourceMap?.file ?? ""
    }
    byFile = files.compactMapValues { $0.count == 1 ? $0[0].name : nil }
  }

  /// By the file in which it stands, else by what it says it is about; the other way round where a version extends the one
  /// of that file: it may be edited, and the file may not.
  func version(of finding: Diagnostic) -> String? {
    let named = finding.subject?.version.flatMap { names.contains($0) ? $0 : nil }
    let inFile = finding.place.flatMap { byFile[$0.file] }
    return finding.isInherited ? named ?? inFile : inFile ?? named
  }
}
