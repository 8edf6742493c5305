import Foundation
import ManagedModel

/// Expressions as `NSExpression`'s classes archive them.
///
/// Genuine archives show constants, the evaluated object, variables, key paths, functions and fetches. The keys of the
/// other classes are our choice, after the names in the public API.
extension KeyedArchiveBuilder {
  mutating func archived(_ expression: Expression) -> PropertyListValue {
    switch expression {
    case .constant(let value): return constantExpression(archived(value))
    case .evaluatedObject: return selfExpression()
    case .anyKey: return self.expression("NSAnyKeyExpression", 15, [])
    case .variable(let name):
      return self.expression("NSVariableExpression", 2, [.init("NSVariable", string(name))])
    case .keyPath(let keys, let base): return keyPath(keys, of: base)
    case .index(let base, let position):
      return predefined("objectFrom:withIndex:", [archived(base), archived(position)])
    case .function(let call): return archived(call)
    case .arithmetic(let sign, let left, let right):
      return predefined(sign.selector, [archived(left), archived(right)])
    case .negation(let operand):
      // Our choice: `NSExpression` has no function for it.
      return predefined("from:subtract:", [archived(.constant(.integer(0))), archived(operand)])
    case .set(let sign, let left, let right):
      return self.expression(
        "NSSetExpression", sign.archivedType,
        [.init("NSLeftExpression", archived(left)), .init("NSRightExpression", archived(right))])
    case .assignment(let variable, let value):
      // A number of our choice: no file shows it.
      return self.expression(
        "NSVariableAssignmentExpression", 12,
        [
          .init("NSAssignmentVariable", archived(.variable(variable))),
          .init("NSSubexpression", archived(value)),
        ])
    case .conditional(let condition, let value, let otherwise):
      return self.expression(
        "NSTernaryExpression", 20,
        [
          .init("NSPredicate", archived(condition)), .init("NSTrueExpression", archived(value)),
          .init("NSFalseExpression", archived(otherwise)),
        ])
    case .cast(let value, let type):
      return predefined("castObject:toType:", [archived(value), constantExpression(string(type.rawValue))])
    case .subquery(let collection, let variable, let condition):
      return self.expression(
        "NSSubqueryExpression", 13,
        [
          .init("NSCollection", archived(collection)), .init("NSVariable", string(variable)),
          .init("NSPredicate", archived(condition)),
        ])
    case .fetch(let request, let context, let countOnly):
      return self.expression(
        "NSFetchRequestExpression", 50,
        [
          .init("NSMOCExpression", archived(context)), .init("NSCountOnlyFlag", .boolean(countOnly)),
          .init("NSFRExpression", archived(request)),
        ])
    case .aggregate(let elements):
      let list = collection("NSArray", archived(elements))
      return self.expression("NSAggregateExpression", 14, [.init("NSCollection", list)])
    }
  }

  private mutating func archived(_ expressions: [Expression]) -> [PropertyListValue] {
    expressions.map { archived($0) }
  }

  /// - Parameter type: the number of `NSExpression.ExpressionType`; genuine archives show 10 and 50 too, the path within
  ///   a key path's arguments and a fetch.
  private mutating func expression(
    _ className: String, _ type: Int64, _ fields: [PropertyListValue.Entry]
  ) -> PropertyListValue { object(className, fields + [.init("NSExpressionType", .integer(type))]) }

  mutating func constantExpression(_ value: PropertyListValue) -> PropertyListValue {
    expression("NSConstantValueExpression", 0, [.init("NSConstantValue", value)])
  }

  /// One object in the whole archive, as in genuine ones.
  private mutating func selfExpression() -> PropertyListValue {
    if let known = evaluatedObject { return known }
    let made = expression("NSSelfExpression", 1, [])
    evaluatedObject = made
    return made
  }

  /// A path from the evaluated object is of the type key path; one from anything else is a function on it.
  private mutating func keyPath(_ keys: [String], of base: Expression?) -> PropertyListValue {
    let path = keys.joined(separator: ".")
    let specifier = expression("NSKeyPathSpecifierExpression", 10, [.init("NSKeyPath", string(path))])
    let isFromSelf = base == nil || base == .evaluatedObject
    let selector = isFromSelf && !path.utf8.contains(UInt8(ascii: ".")) ? "valueForKey:" : "valueForKeyPath:"
    return expression(
      "NSKeyPathExpression", isFromSelf ? 3 : 4,
      [
        .init("NSOperand", base.map { archived($0) } ?? selfExpression()),
        .init("NSSelectorName", string(selector)),
        .init("NSArguments", collection("NSMutableArray", [specifier])),
      ])
  }

  private mutating func archived(_ call: FunctionCall) -> PropertyListValue {
    if let kept = KeptObject(.function(call)) {
      let value = embed(kept.archive.rootReference, of: kept.archive, budget: WorkBudget(.max))
      return kept.archive.root?.className.hasSuffix("Expression") == true ? value : constantExpression(value)
    }
    let arguments = archived(call.arguments)
    guard let receiver = call.receiver else { return predefined(call.selector, arguments) }
    return function(archived(receiver), call.selector, arguments)
  }

  /// A function of `NSExpression`'s own: a call of the class that implements them.
  mutating func predefined(_ selector: String, _ arguments: [PropertyListValue]) -> PropertyListValue {
    let receiver = expression(
      "NSConstantValueExpression", 0, [.init("NSConstantValueClassName", string(predefinedFunctionsClass))])
    return function(receiver, selector, arguments)
  }

  private mutating func function(
    _ receiver: PropertyListValue, _ selector: String, _ arguments: [PropertyListValue]
  ) -> PropertyListValue {
    expression(
      "NSFunctionExpression", 4,
      [
        .init("NSOperand", receiver), .init("NSSelectorName", string(selector)),
        .init("NSArguments", collection("NSArray", arguments)),
      ])
  }

  private mutating func archived(_ position: Expression.Subscript) -> PropertyListValue {
    switch position {
    case .first: symbol("FIRST")
    case .last: symbol("LAST")
    case .size: symbol("SIZE")
    case .expression(let index): archived(index)
    }
  }

  private mutating func symbol(_ token: String) -> PropertyListValue {
    // A number of our choice: no file shows it.
    expression("NSSymbolicExpression", 11, [.init("NSToken", string(token))])
  }

  private mutating func archived(_ constant: ConstantValue) -> PropertyListValue {
    switch constant {
    case .null: return Self.null
    case .boolean(let value): return scalar(.boolean(value))
    case .integer(let value): return scalar(.integer(value))
    case .string(let text): return string(text)
    case .decimal(let text):
      let real = text.doubleValue
      let exact = Decimal(string: text.description)
      // A number whose digits a double keeps is one; others are decimals, where those can hold them.
      guard let exact, exact.isFinite, Decimal(string: "\(real)") != exact else { return scalar(.real(real)) }
      return object("NSDecimalNumber", ArchivedDecimal(exact).fields)
    }
  }
}

/// The class that archives name as the receiver of `NSExpression`'s own functions.
let predefinedFunctionsClass = "_NSPredicateUtilities"

extension Expression.ArithmeticOperator {
  var selector: String {
    switch self {
    case .add: "add:to:"
    case .subtract: "from:subtract:"
    case .multiply: "multiply:by:"
    case .divide: "divide:by:"
    case .power: "raise:toPower:"
    }
  }
}

extension Expression.SetOperator {
  var archivedType: Int64 {
    switch self {
    case .union: 5
    case .intersect: 6
    case .minus: 7
    }
  }
}
