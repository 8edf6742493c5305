import Foundation
import ManagedModel

extension CheckReport {
  /// SARIF 2.1.0 (OASIS): one run, a rule for each code, suppressed and old findings included and marked.
  func sarifReport(titles: [String: String], version: String) -> String {
    let codes = Set(findings.map(\.diagnostic.code.description)).sorted()
    let rules = codes.map { code in
      SARIF.Rule(
        id: code, shortDescription: ["text": titles[code] ?? code],
        help: ["text": "`modelc explain \(code)` says what it means and what to do."])
    }
    let places = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($1, $0) })
    let results = findings.map { finding in
      SARIF.Result(finding, rule: places[finding.diagnostic.code.description] ?? 0, hasBase: base != nil)
    }
    let driver = SARIF.Component(name: "modelc", semanticVersion: version, rules: rules)
    let run = SARIF.Run(tool: ["driver": driver], columnKind: "unicodeCodePoints", results: results)
    return jsonText(SARIF(runs: [run]))
  }
}

/// The part of the format that we write.
private struct SARIF: Encodable {
  var schema = "https://json.schemastore.org/sarif-2.1.0.json"
  var version = "2.1.0"
  var runs: [Run]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  struct Run: Encodable {
    var tool: [String: Component]
    var columnKind: String
    var results: [Result]
  }

  struct Component: Encodable {
    var name: String
    var semanticVersion: String
    var rules: [Rule]
  }

  struct Rule: Encodable {
    var id: String
    var shortDescription: [String: String]
    var help: [String: String]
  }

  struct Result: Encodable {
    var ruleId: String
    var ruleIndex: Int
    var level: String
    var message: [String: String]
    var locations: [Location]
    var relatedLocations: [Location]?
    var partialFingerprints: [String: String]
    var baselineState: String?
    var suppressions: [[String: String]]?
  }

  struct Location: Encodable {
    var physicalLocation: PhysicalLocation?
    var logicalLocations: [[String: String]]?
    var message: [String: String]?
  }

  struct PhysicalLocation: Encodable {
    var artifactLocation: [String: String]
    var region: [String: Int]
  }
}

extension SARIF.Result {
  init(_ finding: CheckFinding, rule: Int, hasBase: Bool) {
    let diagnostic = finding.diagnostic
    ruleId = diagnostic.code.description
    ruleIndex = rule
    level =
      switch diagnostic.severity {
      case .error: "error"
      case .warning: "warning"
      case .information: "note"
      }
    message = ["text": diagnostic.fullText]
    let names = [
      finding.model, diagnostic.subject?.version, diagnostic.subject?.entity, diagnostic.subject?.property,
    ]
    let logical = names.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "/")
    locations = [
      SARIF.Location(
        physicalLocation: diagnostic.place.map(SARIF.PhysicalLocation.init),
        logicalLocations: logical.isEmpty ? nil : [["fullyQualifiedName": logical]])
    ]
    let related = diagnostic.notes.compactMap { note in
      note.place.map {
        SARIF.Location(
          physicalLocation: SARIF.PhysicalLocation($0), message: ["text": note.message])
      }
    }
    relatedLocations = related.isEmpty ? nil : related
    partialFingerprints = ["modelcIdentity/v1": diagnostic.identity(inModel: finding.model)]
    if hasBase { baselineState = finding.state == .old || finding.state == .past ? "unchanged" : "new" }
    if finding.state == .past {
      let reason = "about a version that can no longer be edited"
      suppressions = [["kind": "external", "justification": reason]]
    }
    if case .suppressed(let reason, let inFile) = finding.state {
      suppressions = [["kind": inFile ? "inSource" : "external", "justification": reason]]
    }
  }
}

extension SARIF.PhysicalLocation {
  init(_ place: SourceRange) {
    artifactLocation = ["uri": uriReference(place.file)]
    region = [
      "startLine": place.start.line, "startColumn": place.start.column, "endLine": place.end.line,
      "endColumn": place.end.column,
    ]
  }
}

/// A path as a relative reference; code scanning resolves it from the repository's top.
private func uriReference(_ path: String) -> String {
  let allowed = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/@+()")
  let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
  return path.hasPrefix("/") ? "file://" + encoded : encoded
}
