/// Record types of CloudKit with their fields, as a `.ckdb` file lists them. System fields, which every record type has,
/// indexes and grants are left out: no comparison needs them.
package struct CloudKitSchema: Hashable, Sendable {
  /// The fields by name, for each record type by name.
  package var recordTypes: [String: [String: FieldType]] = [:]

  package init() {}

  /// `STRING`, `ENCRYPTED INT64`, `LIST<REFERENCE>`.
  package struct FieldType: Hashable, Sendable, CustomStringConvertible {
    var primitive: Primitive
    var isEncrypted = false
    var isList = false
    /// What `NUMBER` is to be taken for.
    var preferred: Primitive?

    package var description: String {
      let name = (isEncrypted ? "ENCRYPTED " : "") + primitive.rawValue
      let whole = preferred.map { "\(name) PREFERRED AS \($0.rawValue)" } ?? name
      return isList ? "LIST<\(whole)>" : whole
    }

    /// Whether a field of this type may be used as one of the other. CloudKit makes `NUMBER` of what an app writes without
    /// a schema, and either of the two may be chosen later.
    func serves(as other: Self) -> Bool {
      if self == other { return true }
      guard primitive == .number, isList == other.isList, !other.isEncrypted else { return false }
      return preferred.map { $0 == other.primitive } ?? [.int64, .double].contains(other.primitive)
    }
  }

  /// The types of the CloudKit schema language.
  enum Primitive: String, CaseIterable {
    case asset = "ASSET"
    case bytes = "BYTES"
    case double = "DOUBLE"
    case int64 = "INT64"
    case location = "LOCATION"
    case number = "NUMBER"
    case reference = "REFERENCE"
    case string = "STRING"
    case timestamp = "TIMESTAMP"

    var canBeEncrypted: Bool { ![.asset, .number, .reference].contains(self) }
  }

  /// The rule for names that are not the system's: ASCII letters, digits and underscores, a letter first.
  static func allowsName(_ name: some StringProtocol) -> Bool {
    guard let first = name.utf8.first, first.isLetter else { return false }
    return name.utf8.allSatisfy(\.isOfWord)
  }

  /// What one schema has and another one lacks. A schema in production only grows: nothing is removed, no type changes.
  package struct Difference: Hashable, Sendable {
    /// New record types with all their fields, and new fields of others.
    package var added = CloudKitSchema()
    /// Names of the record types that are new as a whole.
    package var newTypes: Set<String> = []
    /// `CD_Hut.CD_fax`, or `CD_Hut` as a whole; of what Core Data writes only.
    package var removed: [String] = []
    package var retyped: [Retyped] = []

    package struct Retyped: Hashable, Sendable {
      package var path: String
      package var old: FieldType
      package var new: FieldType
    }

    /// `CD_Hut.CD_fax`, or `CD_Hut` as a whole, sorted; a text's asset goes with the text.
    package var addedPaths: [String] {
      added.recordTypes.sorted { $0.key < $1.key }.flatMap { type, fields -> [String] in
        if newTypes.contains(type) { return [type] }
        return fields.keys.filter { name in
          !name.hasSuffix(MirroredSchema.assetSuffix)
            || fields[String(name.dropLast(MirroredSchema.assetSuffix.count))] == nil
        }.sorted().map { "\(type).\($0)" }
      }
    }
  }

  package func difference(from old: CloudKitSchema) -> Difference {
    var difference = Difference()
    for (type, fields) in recordTypes {
      guard let former = old.recordTypes[type] else {
        difference.newTypes.insert(type)
        difference.added.recordTypes[type] = fields
        continue
      }
      let new = fields.filter { former[$0.key] == nil }
      if !new.isEmpty { difference.added.recordTypes[type] = new }
      for (name, field) in fields {
        guard let then = former[name], !then.serves(as: field) else { continue }
        difference.retyped.append(.init(path: "\(type).\(name)", old: then, new: field))
      }
    }
    for (type, fields) in old.recordTypes where MirroredSchema.isMirrored(type) {
      guard let today = recordTypes[type] else {
        difference.removed.append(type)
        continue
      }
      difference.removed += fields.keys.filter { MirroredSchema.isMirrored($0) && today[$0] == nil }
        .map { "\(type).\($0)" }
    }
    difference.removed.sort()
    difference.retyped.sort { $0.path < $1.path }
    return difference
  }

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
