/// Reads a query: `[SELECT value, … FROM] Entity [WHERE condition] [GROUP BY value, …] [ORDER BY value [DESC], …]
/// [LIMIT number]`. Conditions and values are in the syntax of Core Data's predicates, the words around them in SQL's.
///
/// `@count`, `@sum.key`, `@avg.key`, `@min.key` and `@max.key` without a relationship before them are about a group.
///
/// - Throws: one finding: MC0101–MC0104, as ``parsePredicate(_:at:)``.
package func parseObjectQuery(_ text: String) throws(DiagnosticsError) -> ObjectQuery {
  let scalars = Array(text.unicodeScalars)
  do throws(SyntaxFinding) {
    var reader = QueryReader(text: scalars, tokens: try Lexer.tokens(of: scalars))
    return try reader.read()
  } catch {
    throw DiagnosticsError(error.diagnostic(in: scalars, at: nil))
  }
}

/// Finds the clauses, whose contents the parser reads.
private struct QueryReader {
  let text: [Unicode.Scalar]
  let tokens: [Token]
  var position = 0

  private enum Clause: Int, CaseIterable {
    case `where`, groupBy, orderBy, limit

    var words: [String] {
      switch self {
      case .where: ["WHERE"]
      case .groupBy: ["GROUP", "BY"]
      case .orderBy: ["ORDER", "BY"]
      case .limit: ["LIMIT"]
      }
    }
  }

  mutating func read() throws(SyntaxFinding) -> ObjectQuery {
    var columns: [ObjectQuery.Column]?
    if starts(["SELECT"], at: 0), !isEntity(0) {
      if let mistake = sqlMistake { throw mistake }
      guard let from = tokens.indices.first(where: { starts(["FROM"], at: $0) && depth(before: $0) == 0 })
      else { throw unexpected("expected 'FROM' and an entity after the values", at: tokens.count - 1) }
      columns = try list(1..<from)
      position = from + 1
    }
    guard isEntity(position) else { throw unexpected("expected the name of an entity", at: position) }
    var query = ObjectQuery(entityName: name(of: position), columns: columns)
    position += 1
    for clause in Clause.allCases where starts(clause.words, at: position) {
      let start = position + clause.words.count
      let end = end(of: clause, from: start)
      guard start < end else {
        throw unexpected("nothing follows '\(clause.words.joined(separator: " "))'", at: position)
      }
      try fill(&query, clause, start..<end)
      position = end
    }
    guard tokens[position].kind == .end else {
      throw unexpected("expected WHERE, GROUP BY, ORDER BY or LIMIT, in this order", at: position)
    }
    return query
  }

  /// What SQL writes behind `SELECT` and this language says otherwise.
  private var sqlMistake: SyntaxFinding? {
    if tokens[1].kind == .sign(.times), starts(["FROM"], at: 2) || tokens[2].kind == .sign(.comma) {
      return SyntaxFinding(
        "'*' is not a value", tokens[1].range,
        help: ["leave out 'SELECT * FROM': the name of an entity alone gives all properties of its objects"])
    }
    let isValue = tokens[2].kind == .end || tokens[2].kind == .sign(.comma) || starts(["FROM"], at: 2)
    if starts(["DISTINCT"], at: 1), !isValue {
      return SyntaxFinding(
        "there is no 'DISTINCT'", tokens[1].range,
        help: ["'GROUP BY name' gives each value once: SELECT name FROM Visit GROUP BY name"])
    }
    return nil
  }

  private func fill(_ query: inout ObjectQuery, _ clause: Clause, _ range: Range<Int>) throws(SyntaxFinding) {
    switch clause {
    case .where:
      var parser = parser(range)
      query.predicate = try parser.parsePredicate()
    case .groupBy: query.groups = try list(range)
    case .orderBy:
      for part in parts(of: range) {
        let isDescending = part.count > 1 && starts(["DESC"], at: part.upperBound - 1)
        let hasWord = isDescending || part.count > 1 && starts(["ASC"], at: part.upperBound - 1)
        let value = hasWord ? part.dropLast() : part
        query.order.append(.init(column: try column(value), isAscending: !isDescending))
      }
    case .limit:
      guard range.count == 1, case .constant(.integer(let limit)) = tokens[range.lowerBound].kind, limit >= 0
      else { throw unexpected("expected a whole number after LIMIT", at: range.lowerBound) }
      query.limit = limit
    }
  }

  private func list(_ range: Range<Int>) throws(SyntaxFinding) -> [ObjectQuery.Column] {
    var columns: [ObjectQuery.Column] = []
    for part in parts(of: range) { columns.append(try column(part)) }
    return columns
  }

  private func column(_ range: Range<Int>) throws(SyntaxFinding) -> ObjectQuery.Column {
    guard !range.isEmpty else { throw unexpected("expected a value", at: range.lowerBound) }
    var parser = parser(range)
    let place = tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
    return .init(name: String(scalars: text[place]), expression: try parser.parseExpression())
  }

  /// A parser of the tokens alone; findings keep their places in the whole text.
  private func parser(_ range: Range<Int>) -> Parser {
    let end = tokens[range.upperBound].range.lowerBound
    return Parser(text: text, tokens: Array(tokens[range]) + [Token(kind: .end, range: end..<end)])
  }

  /// What commas part.
  private func parts(of range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var depth = 0
    for index in range {
      depth += nesting(index)
      guard depth == 0, tokens[index].kind == .sign(.comma) else { continue }
      parts.append(start..<index)
      start = index + 1
    }
    return parts + [start..<range.upperBound]
  }

  private func end(of clause: Clause, from start: Int) -> Int {
    let later = Clause.allCases.filter { $0.rawValue > clause.rawValue }
    var depth = 0
    for index in start..<tokens.count - 1 {
      depth += nesting(index)
      // A key of that name follows a sign or a word; what begins a clause follows a value.
      guard depth == 0, index > start else { continue }
      if later.contains(where: { starts($0.words, at: index) && endsValue(index - 1) }) { return index }
    }
    return tokens.count - 1
  }

  private func endsValue(_ index: Int) -> Bool {
    switch tokens[index].kind {
    case .identifier, .constant, .variable, .operatorKey, .selector: true
    case .sign(let sign): [.rightParenthesis, .rightBrace, .rightBracket].contains(sign)
    case .reserved(let word):
      [
        .null, .nil, .self, .true, .yes, .false, .no, .truePredicate, .falsePredicate, .anyKey, .size, .first,
        .last,
      ]
      .contains(word)
    case .end: false
    }
  }

  private func nesting(_ index: Int) -> Int {
    switch tokens[index].kind {
    case .sign(.leftParenthesis), .sign(.leftBrace), .sign(.leftBracket): 1
    case .sign(.rightParenthesis), .sign(.rightBrace), .sign(.rightBracket): -1
    default: 0
    }
  }

  private func depth(before index: Int) -> Int { tokens[..<index].indices.reduce(0) { $0 + nesting($1) } }

  /// An entity's name, after which the text ends or a clause begins.
  private func isEntity(_ index: Int) -> Bool {
    switch tokens[index].kind {
    case .identifier, .reserved: break
    default: return false
    }
    return tokens[index + 1].kind == .end || Clause.allCases.contains { starts($0.words, at: index + 1) }
  }

  private func name(of index: Int) -> String {
    if case .identifier(let name) = tokens[index].kind { return name }
    return String(scalars: text[tokens[index].range])
  }

  /// Whether the words stand there, none of them escaped or a part of a path.
  private func starts(_ words: [String], at index: Int) -> Bool {
    guard index + words.count < tokens.count else { return false }
    if index > 0, tokens[index - 1].kind == .sign(.period) { return false }
    return zip(words, tokens[index...]).allSatisfy { word, token in
      String(scalars: text[token.range]).uppercased() == word
    }
  }

  private func unexpected(_ message: String, at index: Int) -> SyntaxFinding {
    SyntaxFinding(
      message, tokens[min(index, tokens.count - 1)].range,
      help: ["a query reads: SELECT name, hut.name FROM Visit WHERE … GROUP BY … ORDER BY … DESC LIMIT 20"])
  }
}
