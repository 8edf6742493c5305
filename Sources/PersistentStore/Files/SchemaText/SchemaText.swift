/// The text of a row of `sqlite_master`: one `CREATE` statement, in the form in which SQLite itself keeps it there.
package struct SchemaText {
  package enum Kind: String, Sendable { case table, index, trigger, view }

  let kind: Kind
  package let name: String
  /// The table of an index or a trigger, and a table's or view's own name.
  private(set) var tableName: String
  package let isVirtual: Bool
  /// Of a trigger, the columns whose update fires it; empty if any does.
  private(set) var firingColumns: [String] = []
  /// Of a trigger, how a statement begins that fires it.
  private(set) var firingVerbs: [String] = []
  /// What follows the names.
  private let body: ArraySlice<SQLToken>

  /// - Returns: nil if the text is anything else, or goes on after its statement.
  package init?(_ sql: String) {
    var tokenizer = SQLTokenizer(bytes: Array(sql.utf8))
    guard var rest = tokenizer.tokens()?[...], rest.popFirst()?.isWord("create") == true else { return nil }
    let first = rest.popFirst()
    guard let kind = Self.kind(first, &rest), let name = rest.popFirst()?.name else { return nil }
    let isVirtual = first?.isWord("virtual") == true
    (self.kind, self.name, self.isVirtual, tableName) = (kind, name, isVirtual, name)
    switch kind {
    case .table:
      guard let next = rest.first, isVirtual ? next.isWord("using") : next.isSign("(") else { return nil }
    case .view: guard rest.contains(where: { $0.isWord("as") }) else { return nil }
    case .index, .trigger:
      // Words such as BEFORE and UPDATE OF stand before a trigger's table; none of them is ON.
      guard let on = rest.firstIndex(where: { $0.isWord("on") }), kind == .trigger || on == rest.startIndex,
        rest.indices.contains(on + 1), let table = rest[on + 1].name
      else { return nil }
      tableName = table
      firingVerbs =
        rest[..<on].contains { $0.isWord("update") }
        ? ["UPDATE", "UPDATE OR IGNORE"]
        : rest[..<on].contains { $0.isWord("delete") } ? ["DELETE FROM"] : ["INSERT INTO"]
      firingColumns = rest[..<on].drop { !$0.isWord("update") }.dropFirst(2).compactMap(\.name)
      rest = rest[(on + 2)...]
    }
    body = rest
    guard Self.isOneStatement(rest, kind) else { return nil }
  }

  private static func kind(_ first: SQLToken?, _ rest: inout ArraySlice<SQLToken>) -> Kind? {
    guard case .word(let word)? = first else { return nil }
    switch word {
    case "unique": return rest.popFirst()?.isWord("index") == true ? .index : nil
    case "virtual": return rest.popFirst()?.isWord("table") == true ? .table : nil
    default: return Kind(rawValue: word)
    }
  }

  /// A trigger ends with the `END` that follows the semicolon of its last statement; the `END` of a `CASE` never follows
  /// one. Any other statement ends with its first semicolon.
  private static func isOneStatement(_ body: ArraySlice<SQLToken>, _ kind: Kind) -> Bool {
    let semicolons = body.indices.filter { body[$0].isSign(";") }
    guard kind == .trigger else { return semicolons.first.map { $0 == body.endIndex - 1 } ?? true }
    guard
      let last = semicolons.first(where: { body.indices.contains($0 + 1) && body[$0 + 1].isWord("end") })
    else { return false }
    let tail = body[(last + 2)...]
    return tail.isEmpty || tail.count == 1 && tail.first?.isSign(";") == true
  }

  /// Whether a table or an index computes something by itself: columns, checks, defaults, expressions, conditions.
  var computes: Bool {
    kind == .index
      ? body.count { $0.isSign("(") } > 1 || isPartial
      : body.contains { $0.isWord("as", "check", "default", "generated") }
  }

  /// A function or an operator that it computes with and that can keep a single step of SQLite's busy for hours: no
  /// limit and no question in between ends that.
  var unboundedOperation: String? {
    for index in body.indices {
      guard let name = body[index].name?.lowercased() else { continue }
      let next = body.indices.contains(index + 1) ? body[index + 1] : nil
      if next?.isSign("(") == true, Self.unboundedFunctions.contains(name) { return name }
      guard Self.patternOperators.contains(name), body[index].isWord(name), index > body.startIndex,
        body[index - 1].endsOperand
      else { continue }
      // `REFERENCES t (c) MATCH FULL` is not a comparison.
      if name == "match", next?.isWord("full", "partial", "simple") == true { continue }
      return name
    }
    return nil
  }

  /// Of an index: whether it holds only rows for which a condition holds.
  package var isPartial: Bool { body.contains { $0.isWord("where") } }

  /// Everything beside the names that can be a name, in upper case.
  package var namesInBody: Set<String> {
    Set((firingColumns + body.compactMap(\.name)).map { $0.uppercased() })
  }

  /// What a table's foreign keys lead to; no columns where it is the primary key.
  package var references: [(table: String, columns: [String])] {
    guard kind == .table, !isVirtual else { return [] }
    return body.indices.filter { body[$0].isWord("references") }.compactMap { index in
      let rest = body[(index + 1)...]
      guard let table = rest.first?.name else { return nil }
      guard rest.dropFirst().first?.isSign("(") == true else { return (table, []) }
      return (table, rest.dropFirst(2).prefix { !$0.isSign(")") }.compactMap(\.name))
    }
  }

  /// A function, or an operator, that another SQLite may not have or may not end, or a question about other rows.
  package var operationOfOthers: String? {
    for (token, next) in zip(body, body.dropFirst() + [.sign(UInt8(ascii: ";"))]) {
      if [":", "?", "@", "$"].contains(where: { token.isSign($0) }) { return "a parameter" }
      guard case .word(let word) = token else { continue }
      if word == "select" || word == "exists" { return "a question about other rows" }
      if Self.patternOperators.contains(word) { return word }
      if next.isSign("("), !Self.wordsBeforeParenthesis.contains(word) { return word }
    }
    return unboundedOperation
  }

  /// Keywords, and functions that every SQLite has and that give an answer for every value.
  private static let wordsBeforeParenthesis: Set = [
    "and", "or", "not", "in", "is", "between", "when", "then", "else", "case", "where", "as", "cast",
    "coalesce",
    "ifnull", "length", "substr",
  ]

  private static let patternOperators: Set = ["like", "glob", "match", "regexp"]
  private static let unboundedFunctions: Set<String> = patternOperators.union([
    "printf", "format", "instr", "replace", "trim", "ltrim", "rtrim",
  ])
}
