/// What ajv refuses in a schema in its strict mode, by which schemastore.org judges: unknown keywords, lists of types, keywords
/// whose type is not said, required keys that are not among the properties.
///
/// - Parameter types: what the schemas around it say of the same value.
package func strictSchemaComplaints(
  _ schema: JSONDocument, at path: String = "#", types: Set<String> = []
) -> [String] {
  guard let keywords = schema.members else { return [] }
  var found = keywords.keys.filter { !knownKeywords.contains($0) }.map { "\(path): unknown keyword '\($0)'" }
  let own = keywords["type"].map { $0.text.map { [$0] } ?? ($0.elements ?? []).compactMap(\.text) } ?? []
  if own.count > 2 || own.count == 2 && !own.contains("null") { found.append("\(path): a list of types") }
  if !types.isEmpty, !Set(own).isSubset(of: types) { found.append("\(path): \(own) is not among \(types)") }
  let types = own.isEmpty ? types : Set(own)
  for (keyword, needed) in typedKeywords where keywords[keyword] != nil {
    if needed.isDisjoint(with: types) { found.append("\(path): '\(keyword)' without type \(needed)") }
  }
  let named = Set(keywords["properties"]?.members?.keys.map { $0 } ?? [])
  for key in (keywords["required"]?.elements ?? []).compactMap(\.text) where !named.contains(key) {
    found.append("\(path): '\(key)' is required, and no property")
  }
  if keywords["if"] != nil, keywords["then"] == nil, keywords["else"] == nil {
    found.append("\(path): a bare 'if'")
  }
  if keywords["$ref"] != nil, keywords.count > 1,
    !keywords.keys.allSatisfy(["$ref", "$schema", "$id", "description"].contains)
  {
    found.append("\(path): something beside $ref")
  }
  // Of the same value.
  for keyword in ["anyOf", "oneOf", "allOf"] {
    for (index, part) in (keywords[keyword]?.elements ?? []).enumerated() {
      found += strictSchemaComplaints(part, at: "\(path)/\(keyword)/\(index)", types: types)
    }
  }
  for keyword in ["if", "then", "else", "not"] {
    if let part = keywords[keyword] {
      found += strictSchemaComplaints(part, at: "\(path)/\(keyword)", types: types)
    }
  }
  for (key, part) in keywords["dependencies"]?.members ?? [:] {
    found += strictSchemaComplaints(part, at: "\(path)/dependencies/\(key)", types: types)
  }
  // Of others.
  for keyword in ["properties", "definitions"] {
    for (key, part) in keywords[keyword]?.members ?? [:] {
      found += strictSchemaComplaints(part, at: "\(path)/\(keyword)/\(key)")
    }
  }
  for keyword in ["items", "additionalProperties"] {
    if let part = keywords[keyword] { found += strictSchemaComplaints(part, at: "\(path)/\(keyword)") }
  }
  if let part = keywords["propertyNames"] {
    found += strictSchemaComplaints(part, at: "\(path)/propertyNames", types: ["string"])
  }
  return found
}

private let knownKeywords: Set = [
  "$schema", "$id", "title", "description", "definitions", "$ref", "type", "enum", "const", "pattern",
  "minimum",
  "maximum", "items", "properties", "required", "additionalProperties", "propertyNames", "dependencies",
  "anyOf",
  "oneOf", "allOf", "if", "then", "else", "not",
]

private let typedKeywords: [String: Set<String>] = [
  "pattern": ["string"], "minimum": ["number", "integer"], "maximum": ["number", "integer"],
  "items": ["array"],
  "properties": ["object"], "required": ["object"], "additionalProperties": ["object"],
  "propertyNames": ["object"], "dependencies": ["object"],
]
