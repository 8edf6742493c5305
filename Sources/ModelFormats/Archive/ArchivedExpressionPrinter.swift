import Foundation
import ManagedModel

/// Prints an archived predicate or expression as text that can be parsed again.
///
/// What has no such text (a block predicate, a class that is not known here) prints as its class name in angle
/// brackets: it is not dropped in silence, and the checks point at it.
struct ArchivedExpressionPrinter {
  /// How deep expressions may be nested; deeper ones, and what is beyond the budget, print as `<…>`.
  private var depth = 100
  private let budget: WorkBudget

  init(_ budget: WorkBudget) { self.budget = budget }

  private var deeper: Self? {
    guard depth > 0, budget.spend(32) else { return nil }
    var printer = self
    printer.depth -= 1
    return printer
  }

  func predicate(_ object: ArchivedObject) -> String {
    guard let printer = deeper else { return "<…>" }
    switch object.className {
    case "NSTruePredicate": return "TRUEPREDICATE"
    case "NSFalsePredicate": return "FALSEPREDICATE"
    case "NSCompoundPredicate": return printer.compound(object)
    case "NSComparisonPredicate": return printer.comparison(object)
    default: return "<\(object.className)>"
    }
  }

  private func compound(_ object: ArchivedObject) -> String {
    let parts = object.elements("NSSubpredicates").compactMap(\.object).map { part in
      part.className == "NSCompoundPredicate" ? "(\(predicate(part)))" : predicate(part)
    }
    switch object.integer("NSCompoundPredicateType") ?? 0 {
    case 0: return "NOT " + (parts.first.map { $0.hasPrefix("(") ? $0 : "(\($0))" } ?? "TRUEPREDICATE")
    case 1: return parts.isEmpty ? "TRUEPREDICATE" : parts.joined(separator: " AND ")
    default: return parts.isEmpty ? "FALSEPREDICATE" : parts.joined(separator: " OR ")
    }
  }

  private func comparison(_ object: ArchivedObject) -> String {
    let left = text(object["NSLeftExpression"])
    let right = text(object["NSRightExpression"])
    guard let comparison = object.object("NSPredicateOperator"),
      let symbol = symbol(of: comparison)
    else { return "<\(object.className)>" }
    let modifier =
      switch comparison.integer("NSModifier") ?? 0 {
      case 1: "ALL "
      case 2: "ANY "
      default: ""
      }
    return "\(modifier)\(left) \(symbol) \(right)"
  }

  private func symbol(of comparison: ArchivedObject) -> String? {
    let symbols: [Int64: String] = [
      0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH",
      9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]
    let type = comparison.integer("NSOperatorType") ?? -1
    guard let symbol = symbols[type] else { return nil }
    if type == 4, comparison.flag("NSNegate") { return "!=" }
    let bits = comparison.integer("NSFlags") ?? comparison.integer("NSOptions") ?? 0
    let options = [(1, "c"), (2, "d"), (4, "n"), (8, "l")].filter { bits & $0.0 != 0 }.map(\.1).joined()
    return options.isEmpty ? symbol : "\(symbol)[\(options)]"
  }

  func text(_ value: ArchivedValue) -> String {
    guard let printer = deeper else { return "<…>" }
    guard let object = value.object else { return constant(value) }
    switch object.className {
    case "NSSelfExpression": return "SELF"
    case "NSVariableExpression": return "$" + name(object.string("NSVariable"))
    case "NSKeyPathSpecifierExpression": return name(object.string("NSKeyPath"))
    case "NSConstantValueExpression":
      return object.string("NSConstantValueClassName") ?? printer.constant(object["NSConstantValue"])
    case "NSKeyPathExpression": return printer.keyPath(object)
    case "NSFunctionExpression": return printer.function(object)
    case "NSAggregateExpression":
      return "{" + object.elements("NSCollection").map(printer.text).joined(separator: ", ") + "}"
    default: return "<\(object.className)>"
    }
  }

  private func keyPath(_ object: ArchivedObject) -> String {
    let path = object.elements("NSArguments").first.map(text) ?? ""
    let operand = text(object["NSOperand"])
    return operand == "SELF" ? path : "\(operand).\(path)"
  }

  private func function(_ object: ArchivedObject) -> String {
    let selector = object.string("NSSelectorName") ?? ""
    let arguments = object.elements("NSArguments").map(text)
    let operand = text(object["NSOperand"])
    guard operand == "_NSPredicateUtilities" else {
      return "FUNCTION(" + ([operand, quoted(selector)] + arguments).joined(separator: ", ") + ")"
    }
    let infix = [
      "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "raise:toPower:": "**",
    ]
    if let symbol = infix[selector], arguments.count == 2 {
      return "(\(arguments[0]) \(symbol) \(arguments[1]))"
    }
    return "\(selector)(\(arguments.joined(separator: ", ")))"
  }

  private func constant(_ value: ArchivedValue) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let flag): flag ? "TRUE" : "FALSE"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .date(let seconds): "CAST(\(seconds), \"NSDate\")"
    case .string(let text): quoted(text)
    case .data, .array: "<NSData>"
    case .object(let object): collectionOrNumber(object)
    }
  }

  private func collectionOrNumber(_ object: ArchivedObject) -> String {
    if object.className.hasPrefix("NSDecimalNumber"), let number = ArchivedDecimal(object) {
      return "\(number.decimal)"
    }
    let isCollection = ["Array", "Set"].contains { object.className.hasSuffix($0) }
    guard isCollection, let printer = deeper else { return "<\(object.className)>" }
    return "{" + object.elements.map(printer.constant).joined(separator: ", ") + "}"
  }

  private func name(_ text: String?) -> String {
    guard let text, budget.spend(text.utf8.count) else { return "<…>" }
    return text
  }

  private func quoted(_ text: String) -> String {
    guard budget.spend(text.utf8.count) else { return "<…>" }
    var quoted = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\": quoted += "\\" + String(character)
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(character)
      }
    }
    return quoted + "\""
  }
}
