import Foundation
import ManagedModel
import ModelCommands
import TestSupport
import Testing

/// Holds what a run wrote as JSON against the schema of its command: every run of every test, not those of one suite.
func holdResult(_ run: Modelc.Run) {
  guard run.code >= 0, !run.arguments.contains("--help"), let name = resultName(run.arguments) else { return }
  // Wrong usage has no result.
  if run.stdout.isEmpty { return #expect(run.code == 2, "no result:\n\(run)") }
  let texts = name.hasSuffix("-line") ? run.stdout.split(separator: "\n").map(String.init) : [run.stdout]
  do {
    let schema = try HeldSchemas.schema(name)
    for text in texts {
      let document = try JSONDocument(text)
      let complaints = schema.complaints(about: document)
      #expect(complaints == [], "no result of '\(name)':\n\(run)")
      HeldSchemas.note(name, schema.fitting(document))
    }
  } catch {
    Issue.record("no result of '\(name)': \(error)\n\(run)")
  }
}

/// The schemas, each read once, and which forms of a result some run had.
enum HeldSchemas {
  private static let schemas = Locked<[String: SchemaValidator]>([:])
  private static let met = Locked<[String: Set<String>]>([:])

  static func schema(_ name: String) throws -> SchemaValidator {
    try schemas.withLock { known in
      if let schema = known[name] { return schema }
      let result = try #require(CommandResult.all.first { $0.name == name }, "no schema of '\(name)'")
      let schema = try SchemaValidator(result.schema)
      known[name] = schema
      return schema
    }
  }

  static func note(_ name: String, _ forms: [String]) {
    met.withLock { $0[name, default: []].formUnion(forms) }
  }

  static func forms(_ name: String) -> Set<String> { met.withLock { $0[name] ?? [] } }
}

/// The result that a command line asks for; nil if it asks for another format.
private func resultName(_ arguments: [String]) -> String? {
  func asks(_ option: String, _ value: String) -> Bool {
    arguments.contains("\(option)=\(value)")
      || zip(arguments, arguments.dropFirst()).contains { $0 == option && $1 == value }
  }
  guard var name = arguments.first, !name.hasPrefix("-") else { return nil }
  if ["version", "map", "fleet"].contains(name), arguments.count > 1 { name += "-" + arguments[1] }
  if name == "help", !arguments.contains("--all") { return nil }
  if asks("--report", "jsonl") { return name == "export" ? "store-export-line" : "\(name)-line" }
  let isWritten = arguments.contains("-o")
  if name == "export" {
    if asks("--as", "jsonl"), !isWritten { return nil }
    let isText = ["yaml", "views"].contains { asks("--as", $0) } || arguments.contains("--of")
    if isText, !isWritten { return nil }
  }
  if asks("--format", "json") { return name }
  guard asks("--format", "jsonl") else { return nil }
  return name == "query" ? "query-line" : "check-line"
}
