import ManagedModel
import TestSupport

/// Random expressions over ``Ledger``'s accounts that have a type, so that most of them compile.
struct RandomValues {
  enum Kind: CaseIterable { case whole, number, text, date, flag }

  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func attributeType(_ kind: Kind) -> AttributeType {
    switch kind {
    case .whole: random.pick([.integer16, .integer32, .integer64, .double])
    case .number: random.pick([.double, .decimal, .integer64])
    case .text: .string
    case .date: .date
    case .flag: random.pick([.boolean, .integer16])
    }
  }

  mutating func value(_ kind: Kind, _ depth: Int, variable: String? = nil) -> String {
    if depth <= 0 { return leaf(kind, variable) }
    let next = depth - 1
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return "TERNARY(\(condition(next, variable: variable)), \(value(kind, next, variable: variable)), "
        + "\(value(kind, next, variable: variable)))"
    case 1:
      return "coalesce(\(value(kind, next, variable: variable)), \(value(kind, next, variable: variable)))"
    case 2: return leaf(kind, variable)
    default: break
    }
    func argument(_ kind: Kind) -> String { value(kind, next, variable: variable) }
    switch kind {
    case .whole:
      return random.pick([
        "(\(argument(.whole)) \(random.pick(["+", "-", "*", "/"])) \(argument(.whole)))",
        "-(\(argument(.whole)))", "abs:(\(argument(.whole)))", "length:(\(argument(.text)))",
        "modulus:by:(\(argument(.whole)), \(argument(.whole)))", "parseInt(\(argument(.text)))",
        "bitwiseXor:with:(\(argument(.whole)), 5)", "clamp(\(argument(.whole)), 0, 9)", subquery(next),
      ])
    case .number:
      return random.pick([
        "(\(argument(.number)) \(random.pick(["+", "-", "*", "/", "**"])) \(argument(.number)))",
        "-(\(argument(.number)))", "floor:(\(argument(.number)))", "sqrt:(\(argument(.number)))",
        "CAST(\(argument(.date)), 'NSNumber')", "parseDouble(\(argument(.text)))",
        "max:(\(argument(.number)), \(argument(.whole)))",
        "average:(\(argument(.whole)), \(argument(.number)))",
        argument(.whole),
      ])
    case .text:
      return random.pick([
        "concat(\(argument(.text)), \(argument(random.pick(Kind.allCases))))",
        "uppercase:(\(argument(.text)))",
        "canonical:(\(argument(.text)))", "trim(\(argument(.text)))", "substr(\(argument(.text)), 1, 2)",
        "replace(\(argument(.text)), 'a', \(argument(.text)))", "CAST(\(argument(.number)), 'NSString')",
        "formatDate(\(argument(.date)), 'yyyy')",
      ])
    case .date: return random.pick(["CAST(\(argument(.number)), 'NSDate')", leaf(.date, variable)])
    case .flag: return "TERNARY(\(condition(next, variable: variable)), TRUE, FALSE)"
    }
  }

  mutating func condition(_ depth: Int, variable: String? = nil) -> String {
    guard depth > 0 else { return comparison(0, variable) }
    let next = depth - 1
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return "NOT (\(condition(next, variable: variable)))"
    case 1: return "(\(condition(next, variable: variable)) AND \(condition(next, variable: variable)))"
    case 2: return "(\(condition(next, variable: variable)) OR \(condition(next, variable: variable)))"
    case 3 where variable == nil: return quantified(next)
    default: return comparison(next, variable)
    }
  }

  private mutating func comparison(_ depth: Int, _ variable: String?) -> String {
    let kind = random.pick([Kind.whole, .number, .text, .text, .date])
    let (left, right) = (value(kind, depth, variable: variable), value(kind, depth, variable: variable))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "\(left) \(random.pick(["==", "!="])) nil"
    case 1: return "\(left) IN {\(right), \(leaf(kind, variable)), nil}"
    case 2: return "\(left) BETWEEN {\(right), \(leaf(kind, variable))}"
    case 3 where kind == .text:
      let sign = random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN"])
      return "\(left) \(sign)\(options) \(right)"
    case 4 where kind == .text:
      return
        "\(left) MATCHES\(random.pick(["", "[c]", "[d]"])) \(random.pick(["'[a-z]*'", "'.b?'", "'(a|A)b'"]))"
    default:
      let sign = random.pick(["==", "!=", "<", "<=", ">", ">="])
      return "\(left) \(sign)\(kind == .text ? options : "") \(right)"
    }
  }

  private var options: String {
    mutating get { random.pick(["", "", "[c]", "[d]", "[cd]", "[n]"]) }
  }

  private mutating func quantified(_ depth: Int) -> String {
    let modifier = random.pick(["ANY", "ALL", "NONE"])
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "\(modifier) entries.amount \(random.pick(["==", "!=", "<"])) \(value(.whole, depth))"
    case 1: return "\(modifier) entries.text ==[c] \(value(.text, depth))"
    case 2: return "\(modifier) tags.name \(random.pick(["BEGINSWITH", "!="])) \(value(.text, depth))"
    case 3: return "\(value(.text, depth)) IN tags.name"
    default: return "\(modifier) tags.accounts.small > \(value(.whole, depth))"
    }
  }

  private mutating func subquery(_ depth: Int) -> String {
    "SUBQUERY(entries, $e, \(condition(min(depth, 1), variable: "e"))).\(random.pick(["@count", "@sum.amount"]))"
  }

  private mutating func leaf(_ kind: Kind, _ variable: String?) -> String {
    if let variable, Bool.random(using: &random) {
      switch kind {
      case .whole: return "$\(variable).amount"
      case .number: return "$\(variable).\(random.pick(["price", "weight"]))"
      case .text: return "$\(variable).\(random.pick(["text", "account.name"]))"
      case .date: return "$\(variable).date"
      case .flag: return "TRUE"
      }
    }
    switch kind {
    case .whole:
      return random.pick([
        "small", "large", "$source.small", "owner.age", "entries.@count", "entries.@sum.amount", "0", "1",
        "-3",
        "owner.partner.age", "entries.@max.amount", "tags.@count", "name.length", "nil",
      ])
    case .number:
      return random.pick([
        "rate", "sum", "0.5", "1.25", "entries.@sum.price", "entries.@avg.amount", "entries.@avg.price",
        "entries.@sum.weight", "entries.@min.weight", "opened.timeIntervalSince1970", "2",
      ])
    case .text:
      return random.pick([
        "name", "other", "owner.name", "'a'", "''", "'ä'", "entries.@max.text", "tags.@min.name", "'Ab'",
        "site.host", "nil",
      ])
    case .date: return random.pick(["opened", "now()", "CAST(0, 'NSDate')", "entries.@max.date", "nil"])
    case .flag: return random.pick(["isOpen", "TRUE", "FALSE"])
    }
  }
}
