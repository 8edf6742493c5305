import Foundation
import ModelCommands
import TestSupport
import Testing

/// What `export --as json-schema --of` writes: a strict schema for every result, which other programs may rely on.
@Suite struct ResultSchemaTests {
  @Test func `every command that writes JSON has a schema, and a schema is of a command`() throws {
    let names = Set(CommandResult.names)
    #expect(names.count == CommandResult.all.count)
    var commands: Set<String> = []
    for command in try HelpAll.reference(of: ModelcCommand.self).commands {
      let formats = command.arguments.first { $0.names.contains("--format") }?.values ?? []
      guard formats.contains("json") else { continue }
      let name = command.name.split(separator: " ").dropFirst().joined(separator: "-")
      #expect(names.contains(name), "\(command.name) has no schema")
      commands.insert(name)
    }
    #expect(names.filter { !$0.hasSuffix("-line") && $0 != "diagnostic" } == commands)
  }

  @Test(arguments: CommandResult.names) func `a schema is strict, whole and of one meaning`(_ name: String)
    throws
  {
    let result = try #require(CommandResult.all.first { $0.name == name })
    let schema = try JSONDocument(result.schema)
    #expect(strictSchemaComplaints(schema) == [])
    #expect(schema["$schema"] == .string("http://json-schema.org/draft-07/schema#"))
    #expect(schema["$id"] == .string("urn:modelc:0:\(name)"))
    #expect(schema["title"]?.text?.isEmpty == false)
    for (definition, content) in schema["definitions"]?.members ?? [:] {
      #expect(content["additionalProperties"] == .boolean(false), "\(definition)")
      #expect(content["description"]?.text?.isEmpty == false, "\(definition)")
    }
    // What an object of one name has is the same wherever the schema has it.
    var seen: [String: Set<String>] = [:]
    result.shape.forEachObject { name, members in
      let keys = Set(members.map(\.key))
      #expect(seen.updateValue(keys, forKey: name) ?? keys == keys, "\(name)")
    }
  }

  /// Within a major version only lines are added, and words at the end of one.
  @Test func `no result has lost what a program may rely on`() throws {
    let file = Package.folder.appending(path: "Tests/ModelCommandsTests/Snapshots/results.txt")
    let lines = try recordedLines()
    if ProcessInfo.processInfo.environment["MODELC_RECORD"] == "1" {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(Set(recorded).subtracting(lines).sorted() == [], "programs rely on these")
    #expect(Set(lines).subtracting(recorded).sorted() == [], "MODELC_RECORD=1 records what is new")
  }

  @Test(.needsPython) func `Python's jsonschema takes every schema`() throws {
    try withTemporaryFolder { folder in
      for result in CommandResult.all {
        try Data(result.schema.utf8).write(to: folder.appending(path: result.fileName))
      }
      let script = """
        import glob, json, sys
        try:
            import jsonschema
        except ImportError:
            print("absent"); sys.exit()
        names = glob.glob(sys.argv[1] + "/*.json")
        for name in names:
            schema = json.load(open(name))
            jsonschema.Draft7Validator.check_schema(schema)
            list(jsonschema.Draft7Validator(schema).iter_errors({"diagnostics": []}))
        print(len(names))
        """
      let run = try Python.run(["-W", "ignore", "-c", script, folder.path])
      #expect(["absent\n", "\(CommandResult.all.count)\n"].contains(run.text), "\(run.text)")
    }
  }
}

/// A line for each member of each object. One that is the same in all results is told once.
private func recordedLines() throws -> [String] {
  var objects: [String: [[String]: [String]]] = [:]
  var lines: [String] = []
  for result in CommandResult.all {
    let schema = try JSONDocument(result.schema)
    lines.append("\(result.name) = \(inWords(schema))")
    var definitions = schema["definitions"]?.members ?? [:]
    if schema["properties"] != nil { definitions[result.name] = schema }
    for (name, definition) in definitions {
      objects[name, default: [:]][members(definition), default: []].append(result.name)
    }
  }
  for (name, forms) in objects {
    for (members, results) in forms {
      let place = forms.count == 1 ? name : "\(results.sorted().joined(separator: "+"))/\(name)"
      lines += members.map { "\(place).\($0)" }
    }
  }
  return lines.sorted()
}

private func members(_ definition: JSONDocument) -> [String] {
  let required = Set((definition["required"]?.elements ?? []).compactMap(\.text))
  return (definition["properties"]?.members ?? [:]).sorted { $0.key < $1.key }.map { key, schema in
    "\(key)\(required.contains(key) ? "" : " (optional)"): \(inWords(schema))"
  }
}

private func inWords(_ schema: JSONDocument) -> String {
  if let reference = schema["$ref"]?.text { return String(reference.split(separator: "/").last ?? "") }
  if let parts = schema["anyOf"]?.elements { return parts.map(inWords).joined(separator: " or ") }
  if let words = schema["enum"]?.elements { return words.map { $0.text ?? "null" }.joined(separator: "|") }
  let types = schema["type"].map { $0.text.map { [$0] } ?? ($0.elements ?? []).compactMap(\.text) } ?? []
  let names = types.map { type in
    switch type {
    case "array": "[\(schema["items"].map(inWords) ?? "")]"
    case "object":
      schema["properties"] != nil ? "object" : "{\(schema["additionalProperties"].map(inWords) ?? "")}"
    default: type
    }
  }
  return names.isEmpty ? "anything" : names.joined(separator: "|")
}
