import Foundation
import ManagedModel

extension Data {
  /// What a file that cannot be parsed says of two branches; nil if it has none of their markers.
  func mergeConflict(_ code: Diagnostic.Code, file: String) -> Diagnostic? {
    let lines = String(decoding: self, as: UTF8.self).lines
    // How a line begins that git writes where two branches changed the same.
    let places = lines.indices.filter { lines[$0].hasPrefix("<<<<<<< ") }
    guard let first = places.first else { return nil }
    let start = SourceLocation(line: first + 1, column: 1)
    let end = SourceLocation(line: first + 1, column: lines[first].unicodeScalars.count + 1)
    let others = places.count - 1
    let more = others > 0 ? ", and in \(others) more place\(others == 1 ? "" : "s")" : ""
    let other = "in any other file, such as versions.yaml, keep what both branches added"
    return Diagnostic(
      code, .error, "there are merge conflict markers here\(more): two branches changed this file",
      place: SourceRange(file: file, start: start, end: end),
      notes: ["modelc cannot read the file until the conflict is resolved"],
      help: [
        "in a version's file, keep one branch's lines and put the other branch's changes into a new version"
      ] + (file.hasSuffix(".yaml") ? [other] : []))
  }
}
