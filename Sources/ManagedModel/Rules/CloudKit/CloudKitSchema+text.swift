extension CloudKitSchema {
  /// In the CloudKit schema language, as `cktool import-schema` takes it and `export-schema` writes it.
  ///
  /// - Parameters:
  ///   - head: lines of comments; whoever makes them keeps line ends out of them.
  ///   - notes: what is not documented, by `CD_Hut.CD_spot`.
  ///   - parts: record types of which there are only some fields: they go into a record type that is there.
  package func text(head: [String], notes: [String: String] = [:], parts: Set<String> = []) -> String {
    let comments = head.map { "    // \($0)" }
    let types = recordTypes.sorted { $0.key < $1.key }.map { name, fields in
      Self.text(name, fields, notes, isPart: parts.contains(name))
    }
    return (["DEFINE SCHEMA"] + comments + types.flatMap { ["", $0] }).joined(separator: "\n") + "\n"
  }

  private static func text(
    _ type: String, _ fields: [String: FieldType], _ notes: [String: String], isPart: Bool
  ) -> String {
    let own = fields.sorted { $0.key < $1.key }.map { (name: $0, type: "\($1)") }
    let all = (isPart ? [] : systemFields) + own
    let width = all.map { quoted($0.name).utf8.count }.max() ?? 0
    var lines: [String] = []
    let grants = isPart ? [] : grants
    for (place, field) in all.enumerated() {
      if let note = notes["\(type).\(field.name)"] { lines.append("// not documented: \(note)") }
      let name = quoted(field.name)
      let padding = String(repeating: " ", count: width - name.utf8.count)
      let isLast = place == all.count - 1 && grants.isEmpty
      lines.append("\(name)\(padding) \(field.type)\(isLast ? "" : ",")")
    }
    if !grants.isEmpty { lines.append(grants.joined(separator: ",\n        ")) }
    return "    RECORD TYPE \(quoted(type)) (\n"
      + lines.map { "        \($0)\n" }.joined() + "    );"
  }

  private static let systemFields = [
    (name: "___createTime", type: "TIMESTAMP"), ("___createdBy", "REFERENCE"), ("___etag", "STRING"),
    ("___modTime", "TIMESTAMP"), ("___modifiedBy", "REFERENCE"), ("___recordID", "REFERENCE"),
  ]
  private static let grants = [
    #"GRANT WRITE TO "_creator""#, #"GRANT CREATE TO "_icloud""#, #"GRANT READ TO "_world""#,
  ]
  private static let reserved: Set = ["grant", "preferred", "queryable", "sortable", "searchable"]

  private static func quoted(_ name: String) -> String {
    name.hasPrefix("_") || reserved.contains(name.lowercased()) ? "\"\(name)\"" : name
  }
}
