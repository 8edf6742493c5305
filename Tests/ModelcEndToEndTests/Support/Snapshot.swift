import Foundation
import Testing

/// A stored page that output is checked against: a file of `Snapshots`.
///
/// `MODELC_RECORD=1 swift test` stores what comes now, to be looked at and committed; never where `CI` is set.
struct Snapshot {
  var name: String

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Snapshots")

  private static var isRecording: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["MODELC_RECORD"] == "1" && (environment["CI"] ?? "").isEmpty
  }

  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = Self.folder.appending(path: name)
    if Self.isRecording { try Data(text.utf8).write(to: file) }
    let stored = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    guard text != stored else { return }
    let (old, new) = (stored.components(separatedBy: "\n"), text.components(separatedBy: "\n"))
    let line = zip(old, new).prefix { $0 == $1 }.count
    func around(_ lines: [String]) -> String {
      lines[min(line, lines.count)..<min(line + 6, lines.count)].joined(separator: "\n")
    }
    Issue.record(
      "\(name) differs from line \(line + 1); stored:\n\(around(old))\nnow:\n\(around(new))",
      sourceLocation: sourceLocation)
  }
}
