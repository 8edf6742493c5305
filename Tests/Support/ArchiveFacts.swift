package import Foundation

/// A reader of model archives that shares no line with modelc: `Tests/Scripts/archive-facts.py`.
package enum ArchiveFacts {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scripts/archive-facts.py")

  struct Failure: Error { var output: String }

  /// What an archive, or a model cache, says: a fact a line, sorted.
  ///
  /// Left out are our own keys, which Core Data passes over, and those that name the compiler.
  package static func lines(of data: Data) throws -> [String] {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "archive")
      try data.write(to: file)
      let run = try Python.run([script.path, file.path])
      guard run.code == 0 else { throw Failure(output: run.text) }
      return run.text.split(separator: "\n").map(String.init).filter {
        !$0.contains(".Modelc") && !$0.hasPrefix("model.CDMCompiler")
      }
    }
  }
}
