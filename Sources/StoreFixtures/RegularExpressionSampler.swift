import PersistentStore

/// Makes texts that a regular expression matches as a whole.
///
/// It knows what validation rules are made of: characters, classes, groups, alternatives, repetitions, anchors.
/// Look-arounds and back references are passed over; whoever asks tries the result against the expression itself.
struct RegularExpressionSampler {
  indirect enum Part {
    case characters([Unicode.Scalar])
    case sequence([Part])
    case choice([Part])
    case repetition(Part, least: Int, most: Int)
  }

  private let root: Part

  /// Nil if the expression nests too deep or has no end.
  init?(_ pattern: String) {
    var parser = SamplerParser(pattern: Array(pattern.unicodeScalars))
    guard let root = parser.choice(depth: 0), parser.isAtEnd else { return nil }
    self.root = root
  }

  func sample(_ random: inout SeededRandom) -> String {
    var text = String.UnicodeScalarView()
    append(root, to: &text, &random, depth: 0)
    return String(text)
  }

  private func append(
    _ part: Part, to text: inout String.UnicodeScalarView, _ random: inout SeededRandom, depth: Int
  ) {
    guard depth < 64, text.count < 4096 else { return }
    switch part {
    case .characters(let scalars): if let scalar = random.pick(scalars) { text.append(scalar) }
    case .sequence(let parts): for part in parts { append(part, to: &text, &random, depth: depth + 1) }
    case .choice(let parts):
      if let chosen = random.pick(parts) { append(chosen, to: &text, &random, depth: depth + 1) }
    case .repetition(let part, let least, let most):
      for _ in 0..<random.number(least...min(max(most, least), least + 8)) {
        append(part, to: &text, &random, depth: depth + 1)
      }
    }
  }
}

/// Reads an ICU regular expression as far as a sampler needs it.
private struct SamplerParser {
  typealias Part = RegularExpressionSampler.Part

  let pattern: [Unicode.Scalar]
  var position = 0

  var isAtEnd: Bool { position >= pattern.count }
  private var next: Unicode.Scalar? { isAtEnd ? nil : pattern[position] }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  mutating func choice(depth: Int) -> Part? {
    guard depth < 32 else { return nil }
    var alternatives: [Part] = []
    repeat {
      var parts: [Part] = []
      while let scalar = next, scalar != "|", scalar != ")" {
        guard let part = atom(depth: depth) else { return nil }
        parts.append(repeated(part))
      }
      alternatives.append(.sequence(parts))
    } while skip("|")
    return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
  }

  private mutating func atom(depth: Int) -> Part? {
    guard let scalar = next else { return nil }
    position += 1
    switch scalar {
    case "^", "$": return .sequence([])
    case ".": return .characters(letters + digits + ["-", " "])
    case "[": return characterClass()
    case "\\": return escape()
    case "(": return group(depth: depth)
    default: return .characters([scalar])
    }
  }

  private mutating func group(depth: Int) -> Part? {
    var isAssertion = false
    if skip("?") {
      // (?: (?i) (?<name> and the look-arounds, which make no text of their own.
      if next == "=" || next == "!" { isAssertion = true }
      if skip("<"), next == "=" || next == "!" { isAssertion = true }
      while let scalar = next, scalar != ":", scalar != ">", scalar != ")", scalar != "=", scalar != "!" {
        position += 1
      }
      if next != ")" { position += 1 }
    }
    guard let inner = choice(depth: depth + 1), skip(")") else { return nil }
    return isAssertion ? .sequence([]) : inner
  }

  private mutating func repeated(_ part: Part) -> Part {
    var part = part
    while let scalar = next {
      let start = position
      position += 1
      switch scalar {
      case "?": part = .repetition(part, least: 0, most: 1)
      case "*": part = .repetition(part, least: 0, most: 8)
      case "+": part = .repetition(part, least: 1, most: 9)
      case "{":
        guard let (least, most) = counts() else {
          position = start
          return part
        }
        part = .repetition(part, least: least, most: most)
      default:
        position = start
        return part
      }
      // Lazy and possessive forms match the same texts here.
      if next == "?" || next == "+" { position += 1 }
    }
    return part
  }

  /// `3}`, `3,}` or `3,5}`.
  private mutating func counts() -> (Int, Int)? {
    guard let least = number() else { return nil }
    var most = least
    if skip(",") { most = next == "}" ? least + 8 : number() ?? least }
    return skip("}") && least <= 4096 ? (least, max(least, most)) : nil
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = next, let digit = Int(String(scalar)), digits.contains(scalar) {
      value = min((value ?? 0) * 10 + digit, 100_000)
      position += 1
    }
    return value
  }

  private mutating func escape() -> Part? {
    guard let scalar = next else { return nil }
    position += 1
    if let known = escapes[scalar] { return .characters(known) }
    switch scalar {
    case "b", "B", "A", "z", "Z", "G", "Q", "E": return .sequence([])
    case "p", "P": return property(isNegated: scalar == "P")
    default: return .characters([scalar])
    }
  }

  /// `\p{L}`, `\p{Lu}`, `\p{N}`: the first letter tells enough.
  private mutating func property(isNegated: Bool) -> Part? {
    var name = ""
    if skip("{") {
      while let scalar = next, scalar != "}" {
        name.unicodeScalars.append(scalar)
        position += 1
      }
      guard skip("}") else { return nil }
    }
    let members: [Unicode.Scalar] =
      switch name {
      case "Lu", "Uppercase": uppercase
      case "Ll", "Lowercase": lowercase
      case _ where name.hasPrefix("L") || name.hasPrefix("Alpha"): letters + ["é", "ß"]
      case _ where name.hasPrefix("N"): digits
      case _ where name.hasPrefix("P"): ["-", ".", "!"]
      default: [" "]
      }
    return .characters(isNegated ? visible.filter { !members.contains($0) } : members)
  }

  /// What follows `[`. Nested classes and intersections are read as their members.
  private mutating func characterClass() -> Part? {
    let isNegated = skip("^")
    var members: [Unicode.Scalar] = []
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      position += 1
      guard scalar == "\\" else {
        members += range(from: scalar)
        continue
      }
      guard let part = escape() else { return nil }
      guard case .characters(let escaped) = part else { continue }
      members += escaped.count == 1 ? range(from: escaped[0]) : escaped
    }
    guard skip("]") else { return nil }
    return .characters(isNegated ? visible.filter { !members.contains($0) } : members)
  }

  /// `a-z`, or the character alone.
  private mutating func range(from start: Unicode.Scalar) -> [Unicode.Scalar] {
    guard next == "-", position + 1 < pattern.count, pattern[position + 1] != "]" else { return [start] }
    position += 1
    let end = pattern[position]
    position += 1
    guard start.value <= end.value else { return [start] }
    // A long range is known by its beginning and its end.
    let numbers = Array(start.value...min(end.value, start.value + 200)) + [end.value]
    return numbers.compactMap(Unicode.Scalar.init)
  }
}

private let lowercase = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
private let uppercase = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)
private let letters = lowercase + uppercase
private let digits = Array("0123456789".unicodeScalars)
private let visible = letters + digits + Array(" -_.,:;!?@#/+*()'".unicodeScalars)
private let escapes: [Unicode.Scalar: [Unicode.Scalar]] = [
  "d": digits, "D": letters, "w": letters + digits + ["_"], "W": ["-", " ", "."], "s": [" "],
  "S": letters + digits, "n": ["\n"], "r": ["\r"], "t": ["\t"],
]
