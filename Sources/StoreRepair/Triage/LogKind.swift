/// A store of the system, by a text that stands in its path or in what reports it.
package struct SystemStore: Hashable, Sendable {
  package var phrase: String
  /// The app or service that it belongs to.
  package var owner: String

  /// Reads the lines `system PHRASE = OWNER` of the list of kinds.
  package static func parse(_ text: String) -> [SystemStore] {
    text.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("# system "), let sign = line.firstRange(of: " = ") else { return nil }
      return SystemStore(
        phrase: String(line[..<sign.lowerBound].dropFirst("# system ".count)),
        owner: String(line[sign.upperBound...]))
    }
  }
}

/// A kind of trouble that logs tell of: how it is known, what it means, what to do.
package struct LogKind: Hashable, Sendable {
  package var name = ""
  package var title = ""
  package var errors: [ReportedError] = []
  /// Texts of frameworks, as they print them.
  package var phrases: [String] = []
  /// Errors that mean this together, where a log has all of them.
  package var together: [ReportedError] = []
  package var meaning = ""
  package var loss = ""
  /// Sentences with commands.
  package var advice: [String] = []
  /// Of modelc's codes those that say the same.
  package var codes: [String] = []
  /// Whether it only says that something failed, and another error says what.
  package var isGeneral = false

  /// Reads the list of kinds: lines of a key and its text, a kind from `kind` on.
  ///
  /// - Returns: nil if a line says nothing that is known, which a test notices.
  package static func parse(_ text: String) -> [LogKind]? {
    var kinds: [LogKind] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard let key = parts.first else { continue }
      let value = parts.count > 1 ? parts[1] : ""
      if key == "kind" { kinds.append(LogKind(name: value)) }
      guard !kinds.isEmpty, kinds[kinds.count - 1].set(key, value) else { return nil }
    }
    return kinds
  }

  private mutating func set(_ key: String, _ value: String) -> Bool {
    switch key {
    case "kind": break
    case "title": title = value
    case "error", "together":
      let words = value.split(separator: " ")
      guard let domain = words.first.flatMap({ ReportedError.Domain(rawValue: String($0)) }) else {
        return false
      }
      let read = words.dropFirst().compactMap { Int($0) }.map { ReportedError(domain, $0) }
      if key == "error" { errors += read } else { together += read }
    case "phrase": phrases.append(value)
    case "means": meaning = value
    case "loses": loss = value
    case "do": advice.append(value)
    case "code": codes += value.split(separator: " ").map(String.init)
    case "general": isGeneral = true
    default: return false
    }
    return true
  }
}
