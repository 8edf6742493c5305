public import Foundation
public import Testing

/// A reader of model archives that shares no line with modelc: `Tests/Scripts/archive-facts.py`.
public enum ArchiveFacts {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scripts/archive-facts.py")

  static let arePossible = (try? output(of: ["python3", "-c", "import plistlib, zlib; print(1)"])) == "1\n"

  struct Failure: Error { var output: String }

  /// What an archive, or a model cache, says: a fact a line, sorted.
  ///
  /// Left out are our own keys, which Core Data passes over, and those that name the compiler.
  public static func lines(of data: Data) throws -> [String] {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "archive")
      try data.write(to: file)
      let text = try output(of: ["python3", script.path, file.path])
      return text.split(separator: "\n").map(String.init).filter {
        !$0.contains(".Modelc") && !$0.hasPrefix("model.CDMCompiler")
      }
    }
  }

  private static func output(of command: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(output: text) }
    return text
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where Python is not at hand.
  public static var needsPython: Self { .enabled(if: ArchiveFacts.arePossible, "python3 is absent") }
}
