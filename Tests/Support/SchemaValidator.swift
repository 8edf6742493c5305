/// Holds JSON documents against a JSON Schema of draft 7, as far as modelc's own schemas use it; a keyword that is not known
/// here is an error.
package struct SchemaValidator: Sendable {
  private let root: JSONDocument
  private let definitions: [String: JSONDocument]

  /// Keywords that say nothing about a value.
  private static let remarks: Set = ["$schema", "$id", "title", "description", "definitions"]

  package init(_ schema: String) throws {
    root = try JSONDocument(schema)
    definitions = root["definitions"]?.members ?? [:]
  }

  /// What does not fit, with its path; nothing where the document does.
  package func complaints(about document: JSONDocument) -> [String] {
    complaints(document, root, "$")
  }

  /// The names of the definitions that the root refers to, or that an `anyOf` of it does, and that the document fits.
  package func fitting(_ document: JSONDocument) -> [String] {
    (root["anyOf"]?.elements ?? [root]).compactMap { $0["$ref"]?.text }
      .filter { reference in
        definition(reference).map { complaints(document, $0, "$").isEmpty } ?? false
      }
      .map { String($0.split(separator: "/").last ?? "") }
  }

  private func definition(_ reference: String) -> JSONDocument? {
    reference.hasPrefix("#/definitions/") ? definitions[String(reference.dropFirst(14))] : nil
  }

  private func complaints(_ value: JSONDocument, _ schema: JSONDocument, _ path: String) -> [String] {
    guard let keywords = schema.members else {
      if case .boolean(let allows) = schema { return allows ? [] : ["\(path) is not allowed"] }
      return ["\(path): no schema"]
    }
    return keywords.filter { !Self.remarks.contains($0.key) }.flatMap { keyword, content -> [String] in
      switch (keyword, content) {
      case ("$ref", .string(let reference)):
        guard let definition = definition(reference) else { return ["\(path): \(reference) leads nowhere"] }
        return complaints(value, definition, path)
      case ("type", .string(let type)): return isOf(type, value) ? [] : ["\(path) is not a valid \(type)"]
      case ("type", .array(let types)):
        return types.contains { isOf($0.text ?? "", value) } ? [] : ["\(path) is none of \(types)"]
      case ("enum", .array(let values)): return values.contains(value) ? [] : ["\(path) is \(value)"]
      case ("pattern", .string(let pattern)):
        guard let text = value.text, let regex = try? Regex(pattern) else { return [] }
        return text.contains(regex) ? [] : ["\(path) is '\(text)'"]
      case ("anyOf", .array(let schemas)):
        let all = schemas.map { complaints(value, $0, path) }
        // The one that fits best says most.
        return all.contains([]) ? [] : all.min { $0.count < $1.count } ?? []
      case ("items", let element):
        return (value.elements ?? []).enumerated().flatMap { complaints($1, element, "\(path)[\($0)]") }
      case ("properties", .object), ("required", .array), ("additionalProperties", _):
        return objectComplaints(value, keyword, keywords, path)
      default: return ["\(path): the keyword '\(keyword)' is not known here"]
      }
    }
  }

  private func objectComplaints(
    _ value: JSONDocument, _ keyword: String, _ keywords: [String: JSONDocument], _ path: String
  ) -> [String] {
    guard let members = value.members else { return [] }
    let properties = keywords["properties"]?.members ?? [:]
    switch keyword {
    case "properties":
      return properties.flatMap { key, schema in
        members[key].map { complaints($0, schema, "\(path).\(key)") } ?? []
      }
    case "required":
      return (keywords["required"]?.elements ?? []).compactMap(\.text).filter { members[$0] == nil }
        .map { "\(path) has no '\($0)'" }
    default:
      guard let further = keywords["additionalProperties"] else { return [] }
      return members.filter { properties[$0.key] == nil }
        .flatMap { complaints($0.value, further, "\(path).\($0.key)") }
    }
  }

  private func isOf(_ type: String, _ value: JSONDocument) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .integer),
      ("number", .number),
      ("string", .string), ("array", .array), ("object", .object):
      true
    default: false
    }
  }
}
