extension CloudKitSchema {
  /// Reads a `.ckdb` file by the grammar of Apple's "Integrating a Text-Based Schema into Your Workflow".
  ///
  /// - Throws: one finding, at the first place that is none of the language.
  package init(reading text: some Sequence<UInt8>, file: String) throws(DiagnosticsError) {
    var reader = try CloudKitSchemaReader(Array(text), file)
    self = try reader.read()
  }
}

/// A pass over the text without recursion, so that neither time nor stack grow beyond the text's size.
private struct CloudKitSchemaReader {
  /// A word, a name with its quotes, or a sign.
  private typealias Token = (text: String, start: SourceLocation)

  private let file: String
  private let bytes: [UInt8]
  private var index = 0
  private var place = SourceLocation(line: 1, column: 1)
  /// What comes next; nil at the end.
  private var token: Token?

  init(_ bytes: [UInt8], _ file: String) throws(DiagnosticsError) {
    (self.bytes, self.file) = (bytes, file)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    token = try scan()
  }

  mutating func read() throws(DiagnosticsError) -> CloudKitSchema {
    var schema = CloudKitSchema()
    try take("DEFINE")
    try take("SCHEMA")
    while token != nil {
      if try take("CREATE", "RECORD") == "CREATE" {
        try take("ROLE")
        _ = try takeName("the name of a role")
      } else {
        try take("TYPE")
        let start = token
        let name = try takeName("the name of a record type")
        guard schema.recordTypes[name] == nil else { throw error("each record type once", start) }
        schema.recordTypes[name] = try takeFields()
      }
      try take(";")
    }
    return schema
  }

  private mutating func takeFields() throws(DiagnosticsError) -> [String: CloudKitSchema.FieldType] {
    var fields: [String: CloudKitSchema.FieldType] = [:]
    try take("(")
    if try accept([")"]) != nil { return fields }
    repeat {
      if try accept(["GRANT"]) != nil {
        repeat { try take("READ", "CREATE", "WRITE") } while try take(",", "TO") == ","
        _ = try takeName("the name of a role")
        continue
      }
      let start = token
      let name = try takeName("the name of a field")
      guard fields[name] == nil else { throw error("each field once", start) }
      fields[name] = try takeType()
      while try accept(["QUERYABLE", "SORTABLE", "SEARCHABLE"]) != nil {}
    } while try take(",", ")") == ","
    return fields.filter { !$0.key.hasPrefix("_") }
  }

  private mutating func takeType() throws(DiagnosticsError) -> CloudKitSchema.FieldType {
    let isList = try accept(["LIST"]) != nil
    if isList { try take("<") }
    let isEncrypted = try accept(["ENCRYPTED"]) != nil
    let known = CloudKitSchema.Primitive.allCases.filter { !isEncrypted || $0.canBeEncrypted }
    guard let word = try accept(known.map(\.rawValue)),
      let primitive = CloudKitSchema.Primitive(rawValue: word)
    else { throw error("a field's type", token) }
    var type = CloudKitSchema.FieldType(primitive: primitive, isEncrypted: isEncrypted, isList: isList)
    if primitive == .number, try accept(["PREFERRED"]) != nil {
      try take("AS")
      type.preferred = CloudKitSchema.Primitive(rawValue: try take("INT64", "DOUBLE"))
    }
    if isList { try take(">") }
    return type
  }

  private mutating func accept(_ words: [String]) throws(DiagnosticsError) -> String? {
    guard let word = token?.text.uppercased(), words.contains(word) else { return nil }
    token = try scan()
    return word
  }

  @discardableResult
  private mutating func take(_ words: String...) throws(DiagnosticsError) -> String {
    if let word = try accept(words) { return word }
    throw error(words.map { "'\($0)'" }.joined(separator: " or "), token)
  }

  /// The system's names begin with underscores and stand in quotes, as those that are words of the language.
  private mutating func takeName(_ what: String) throws(DiagnosticsError) -> String {
    let name = token?.text.filter { $0 != "\"" } ?? ""
    guard let next = token, next.text != name || CloudKitSchema.allowsName(name.filter { $0 != "." })
    else { throw error(what, token) }
    token = try scan()
    return name
  }

  private mutating func scan() throws(DiagnosticsError) -> Token? {
    try skipBlanks()
    guard index < bytes.count else { return nil }
    let (start, first) = (place, index)
    let isQuoted = bytes[first] == UInt8(ascii: "\"")
    advance()
    if isQuoted || isOfWord(bytes[first]) {
      while index < bytes.count, isOfWord(bytes[index]) { advance() }
    }
    if isQuoted {
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\""), index > first + 1 else {
        throw error("a name in quotes", ("\"", start))
      }
      advance()
    }
    return (String(decoding: bytes[first..<index], as: UTF8.self), start)
  }

  private func isOfWord(_ byte: UInt8) -> Bool {
    // `cloudkit.share` is a record type; other letters than those of ASCII are no names, and one wrong word.
    byte.isOfWord || byte == UInt8(ascii: ".") || byte >= 0x80
  }

  private mutating func skipBlanks() throws(DiagnosticsError) {
    while index < bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch (bytes[index], next) {
      case (0x20, _), (0x09, _), (0x0A, _), (0x0D, _): advance()
      case (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "-"), UInt8(ascii: "-")):
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { advance() }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(DiagnosticsError) {
    let start = place
    advance(2)
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return advance(2) }
      advance()
    }
    throw error("a closing '*/'", ("/*", start))
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count {
      if bytes[index] == UInt8(ascii: "\n") {
        place = SourceLocation(line: place.line + 1, column: 1)
      } else if bytes[index] & 0xC0 != 0x80 {
        place.column += 1
      }
      index += 1
    }
  }

  private func error(_ wanted: String, _ found: Token?) -> DiagnosticsError {
    let start = found?.start ?? place
    let place = SourceRange(file: file, start: start, end: start)
    return DiagnosticsError(
      .fileUnreadable,
      "expected \(wanted) in the CloudKit schema, found \(found.map { "'\($0.text.abridged)'" } ?? "the end")",
      place: place, help: ["`xcrun cktool export-schema` writes one"])
  }
}
