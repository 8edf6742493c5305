import Foundation
import ManagedModel

extension CheckReport {
  /// SARIF 2.1.0 (OASIS): one run, a rule for each code, suppressed and old findings included and marked.
  func sarifReport(titles: [String: String], version: String) -> String {
    let codes = Set(findings.map(\.diagnostic.code.description)).sorted()
    let rules = codes.map { code in
      SARIF.Rule(
        id: code, shortDescription: SARIF.Message(text: titles[code] ?? code),
        help: SARIF.Message(text: "`modelc explain \(code)` says what it means and what to do."))
    }
    let places = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($1, $0) })
    let results = findings.map { finding in
      SARIF.Result(finding, rule: places[finding.diagnostic.code.description] ?? 0, hasBase: base != nil)
    }
    let driver = SARIF.Component(name: "modelc", semanticVersion: version, rules: rules)
    let run = SARIF.Run(tool: SARIF.Tool(driver: driver), columnKind: "unicodeCodePoints", results: results)
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
    var tool: Tool
    var columnKind: String
    var results: [Result]
  }

  struct Tool: Encodable { var driver: Component }

  struct Component: Encodable {
    var name: String
    var semanticVersion: String
    var rules: [Rule]
  }

  struct Rule: Encodable {
    var id: String
    var shortDescription: Message
    var help: Message
  }

  struct Message: Encodable { var text: String }

  struct Result: Encodable {
    var ruleId: String
    var ruleIndex: Int
    var level: String
    var message: Message
    var locations: [Location]
    var relatedLocations: [Location]?
    var partialFingerprints: [String: String]
    var baselineState: String?
    var suppressions: [Suppression]?
  }

  struct Location: Encodable {
    var physicalLocation: PhysicalLocation?
    var logicalLocations: [LogicalLocation]?
    var message: Message?
  }

  struct LogicalLocation: Encodable { var fullyQualifiedName: String }

  struct PhysicalLocation: Encodable {
    var artifactLocation: ArtifactLocation
    var region: Region
  }

  struct ArtifactLocation: Encodable { var uri: String }

  struct Region: Encodable {
    var startLine: Int
    var startColumn: Int
    var endLine: Int
    var endColumn: Int
  }

  struct Suppression: Encodable {
    var kind: String
    var justification: String
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
    message = SARIF.Message(text: diagnostic.fullText)
    let names = [
      finding.model, diagnostic.subject?.version, diagnostic.subject?.entity, diagnostic.subject?.property,
    ]
    let logical = names.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "/")
    locations = [
      SARIF.Location(
        physicalLocation: diagnostic.place.map(SARIF.PhysicalLocation.init),
        logicalLocations: logical.isEmpty ? nil : [SARIF.LogicalLocation(fullyQualifiedName: logical)])
    ]
    let related = diagnostic.notes.compactMap { note in
      note.place.map {
        SARIF.Location(
          physicalLocation: SARIF.PhysicalLocation($0), message: SARIF.Message(text: note.message))
      }
    }
    relatedLocations = related.isEmpty ? nil : related
    partialFingerprints = ["modelcIdentity/v1": diagnostic.identity(inModel: finding.model)]
    if hasBase { baselineState = finding.state == .old || finding.state == .past ? "unchanged" : "new" }
    if finding.state == .past {
      let reason = "about a version that can no longer be edited"
      suppressions = [SARIF.Suppression(kind: "external", justification: reason)]
    }
    if case .suppressed(let reason, let inFile) = finding.state {
      suppressions = [SARIF.Suppression(kind: inFile ? "inSource" : "external", justification: reason)]
    }
  }
}

extension SARIF.PhysicalLocation {
  init(_ place: SourceRange) {
    artifactLocation = SARIF.ArtifactLocation(uri: uriReference(place.file))
    region = SARIF.Region(
      startLine: place.start.line, startColumn: place.start.column, endLine: place.end.line,
      endColumn: place.end.column)
  }
}

/// A path as a relative reference; code scanning resolves it from the repository's top.
private func uriReference(_ path: String) -> String {
  let allowed = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/@+()")
  let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
  return path.hasPrefix("/") ? "file://" + encoded : encoded
}
