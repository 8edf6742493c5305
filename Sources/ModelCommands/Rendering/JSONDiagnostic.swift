package import ManagedModel

extension Diagnostic {
  /// The object that CI and other tools may rely on: every key is always there, null where it has no value.
  package var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("code", .string(code.description)),
      .init("severity", .string(severity.label)),
      .init("message", .string(message)),
    ]
    members += placeMembers(place)
    members += [
      .init("version", JSONValue(subject?.version)),
      .init("entity", JSONValue(subject?.entity)),
      .init("property", JSONValue(subject?.property)),
      .init("cocoa", JSONValue(cocoaCode)),
      .init("notes", .array(runnable.notes.map(\.json))),
      .init("help", JSONValue(runnable.help)),
      .init("fixits", .array(fixIts.map { $0.json(inFile: place?.file) })),
      .init("proposal", proposal.map(\.json) ?? .null),
    ]
    return .object(members)
  }
}

extension Diagnostic.Note {
  fileprivate var json: JSONValue {
    .object([.init("message", .string(message))] + placeMembers(place))
  }
}

extension Diagnostic.Proposal {
  fileprivate var json: JSONValue {
    .object([.init("message", .string(message)), .init("text", .string(text))])
  }
}

extension Diagnostic.FixIt {
  /// - Parameter file: the finding's own; another one is named.
  fileprivate func json(inFile file: String?) -> JSONValue {
    let members = [JSONValue.Member("message", .string(message))] + placeMembers(range)
    let written = members + [.init("replacement", .string(replacement))]
    return .object(written.filter { $0.key != "file" || range.file != file })
  }
}

private func placeMembers(_ place: SourceRange?) -> [JSONValue.Member] {
  [
    .init("file", JSONValue(place?.file)),
    .init("line", JSONValue(place?.start.line)),
    .init("column", JSONValue(place?.start.column)),
    .init("endLine", JSONValue(place?.end.line)),
    .init("endColumn", JSONValue(place?.end.column)),
  ]
}
