import Foundation
import ManagedModel
import ModelFormats
import Testing

/// A model that breaks a rule, with markers, and the same model fixed.
struct Pair: Sendable, CustomTestStringConvertible {
  var broken: String
  /// Marker, code and covered text of every finding, in the order of the file; remarks only where one is expected.
  var expected: [String]
  var fixed: String

  init(_ broken: String, _ expected: [String], _ fixed: String) {
    self.broken = broken
    self.expected = expected
    self.fixed = fixed
  }

  var testDescription: String { expected.joined(separator: ", ") }

  var codes: Set<String> {
    Set(expected.compactMap { $0.split(separator: " ").first { $0.hasPrefix("MC") }.map(String.init) })
  }

  /// Whether the pair is about the finding: it is not a remark, or one that is expected.
  func concerns(_ finding: Diagnostic) -> Bool {
    finding.severity > .information || codes.contains(finding.code.description)
  }

  static let all =
    namePairs + attributePairs + relationshipPairs + indexPairs + expressionPairs + cloudKitPairs
}

/// What reading and checking a version says.
func findings(in source: MarkedSource) throws -> [Diagnostic] { try findings(in: source.text) }

func findings(in text: String) throws -> [Diagnostic] {
  let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
  let version = ModelVersion(name: "V1", model: try #require(reading.model), sourceMap: reading.sourceMap)
  return (reading.diagnostics + checkModel(of: version)).ordered
}
