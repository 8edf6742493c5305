package import ManagedModel

extension Diagnostic {
  /// The object that CI and other tools may rely on: every key is always there, null where it has no value.
  package var json: JSONValue {
    let runnable = runnable
    let head: JSONValue = [
      "code": .string(code.description), "severity": .string(severity.label), "message": .string(message),
    ]
    return head + placeJSON(place) + [
      "version": JSONValue(subject?.version), "entity": JSONValue(subject?.entity),
      "property": JSONValue(subject?.property), "cocoa": JSONValue(cocoaCode),
      "notes": .array(runnable.notes.map(\.json)), "help": JSONValue(runnable.help),
      "fixits": .array(fixIts.map { $0.json(inFile: place?.file) }),
      "proposal": proposal.map(\.json) ?? .null,
    ]
  }
}

extension Diagnostic.Note {
  fileprivate var json: JSONValue { ["message": .string(message)] + placeJSON(place) }
}

extension Diagnostic.Proposal {
  fileprivate var json: JSONValue {
    ["message": .string(message), "text": .string(text)]
  }
}

extension Diagnostic.FixIt {
  /// - Parameter file: the finding's own; another one is named.
  fileprivate func json(inFile file: String?) -> JSONValue {
    let written = ["message": .string(message)] + placeJSON(range) + ["replacement": .string(replacement)]
    guard case .object(let members) = written else { return written }
    return .object(members.filter { $0.key != "file" || range.file != file })
  }
}

private func placeJSON(_ place: SourceRange?) -> JSONValue {
  [
    "file": JSONValue(place?.file), "line": JSONValue(place?.start.line),
    "column": JSONValue(place?.start.column), "endLine": JSONValue(place?.end.line),
    "endColumn": JSONValue(place?.end.column),
  ]
}
