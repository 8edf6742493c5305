import Foundation
import ManagedModel

extension CheckReport {
  /// SARIF 2.1.0 (OASIS): one run, a rule for each code, suppressed and old findings included and marked.
  ///
  /// - Parameters:
  ///   - titles: what each code means, in a few words.
  ///   - version: of modelc.
  package func sarifReport(titles: [String: String], version: String) -> String {
    let codes = Set(findings.map(\.diagnostic.code.description)).sorted()
    let rules = codes.map { code -> JSONValue in
      [
        "id": .string(code), "shortDescription": ["text": .string(titles[code] ?? code)],
        "help": ["text": .string("`modelc explain \(code)` says what it means and what to do.")],
      ]
    }
    let results = findings.map { $0.sarifResult(rules: codes, hasBase: base != nil) }
    let driver: JSONValue = ["name": "modelc", "semanticVersion": .string(version), "rules": .array(rules)]
    let report: JSONValue = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [["tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .array(results)]],
    ]
    return report.prettyPrinted + "\n"
  }
}

extension CheckFinding {
  fileprivate func sarifResult(rules: [String], hasBase: Bool) -> JSONValue {
    let names = [
      model, diagnostic.subject?.version, diagnostic.subject?.entity, diagnostic.subject?.property,
    ]
    let logical = names.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "/")
    let notes = diagnostic.notes.compactMap { note in
      note.place.map { place -> JSONValue in
        ["physicalLocation": place.sarifLocation, "message": ["text": .string(note.message)]]
      }
    }
    let isOld = state == .old || state == .past
    return .members([
      "ruleId": .string(diagnostic.code.description),
      "ruleIndex": JSONValue(rules.firstIndex(of: diagnostic.code.description)),
      "level": .string(diagnostic.severity.word("error", "warning", "note")),
      "message": ["text": .string(diagnostic.fullText)],
      "locations": [
        .members([
          "physicalLocation": diagnostic.place?.sarifLocation,
          "logicalLocations": logical.isEmpty ? nil : [["fullyQualifiedName": .string(logical)]],
        ])
      ],
      "relatedLocations": .array(notes),
      "partialFingerprints": ["modelcIdentity/v1": .string(diagnostic.identity(inModel: model))],
      "baselineState": hasBase ? (isOld ? "unchanged" : "new") : nil, "suppressions": suppressions,
    ])
  }

  private var suppressions: JSONValue? {
    switch state {
    case .past:
      [["kind": "external", "justification": "about a version that can no longer be edited"]]
    case .suppressed(let reason, let inFile):
      [["kind": inFile ? "inSource" : "external", "justification": .string(reason)]]
    default: nil
    }
  }
}

extension SourceRange {
  fileprivate var sarifLocation: JSONValue {
    [
      "artifactLocation": ["uri": .string(uriReference(file))],
      "region": [
        "startLine": JSONValue(start.line), "startColumn": JSONValue(start.column),
        "endLine": JSONValue(end.line), "endColumn": JSONValue(end.column),
      ],
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
