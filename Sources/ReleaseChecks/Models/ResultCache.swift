package import Foundation
import ManagedModel
import ModelFormats
import ModelMigration

/// Remembers what was found sound, by the content of versions, store, test and modelc itself. It is not migrated again.
///
/// Results with findings are not kept, so that the findings are reported until they are fixed.
package struct ResultCache: Sendable {
  private let folder: URL
  private let program: String

  /// - Parameter program: identifies the build of modelc.
  package init(folder: URL, program: String) { (self.folder, self.program) = (folder, program) }

  /// All that decides a result: what stores become, along which path, and what may be lost on it.
  ///
  /// - Parameter files: stores with their logs, tests.
  /// - Returns: nil if a file cannot be read.
  func key(_ what: String, _ subject: CheckedModel, files: [String]) -> String? {
    let (model, mappings) = (subject.model, subject.mappings)
    var digest = ContentDigest()
    digest.add("modelc", Data(program.utf8))
    digest.add("what", Data(what.utf8))
    digest.add("path", Data("\(model.currentVersionName) \(model.isStepwise) \(model.stages)".utf8))
    for version in model.versions {
      let links = "\(version.predecessorNames) \(version.allowsInference) \(version.retired.sorted())"
      digest.add(version.name, Data((version.versionChecksum + version.model.fingerprint + links).utf8))
    }
    // As text: a set or a dictionary prints in another order in each run.
    digest.add("mappings", Data(writeMappingFile(mappings.custom.mappingModels[model.name] ?? []).utf8))
    for (name, data) in mappings.files.sorted(by: { $0.key < $1.key }) { digest.add(name, data) }
    for file in files + files.map({ "\($0)-wal" }).filter(FileManager.default.fileExists) {
      guard let data = try? Data(contentsOf: URL(filePath: file), options: .mappedIfSafe) else { return nil }
      digest.add("file", data)
    }
    return digest.hexadecimal
  }

  func holds(_ key: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: key).path)
  }

  /// A cache that cannot be written is ignored.
  func keep(_ key: String) {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data().write(to: folder.appending(path: key))
  }
}
