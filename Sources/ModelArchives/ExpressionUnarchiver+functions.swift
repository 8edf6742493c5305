import ManagedModel

extension ExpressionUnarchiver {
  /// A key path, or a call: both are functions with a receiver, a selector and arguments.
  func function(_ object: ArchivedObject) throws(ArchiveFlaw) -> Expression? {
    guard let selector = try spend(on: object.string("NSSelectorName")) else { return nil }
    let arguments = object.elements("NSArguments")
    if selector == "valueForKey:" || selector == "valueForKeyPath:", arguments.count == 1,
      let specifier = arguments[0].object, let path = try keys(specifier)
    {
      return .path(path, of: try expression(object["NSOperand"]))
    }
    guard object.className == "NSFunctionExpression", let receiver = object.object("NSOperand") else {
      return nil
    }
    if receiver.string("NSConstantValueClassName") == predefinedFunctionsClass {
      return predefined(selector, try expressions(arguments), symbol: arguments.last?.object.flatMap(symbol))
    }
    guard selector.utf8.count(where: { $0 == UInt8(ascii: ":") }) == arguments.count else { return nil }
    return .function(
      FunctionCall(receiver: try expression(.object(receiver)), selector, try expressions(arguments)))
  }

  private func predefined(
    _ selector: String, _ arguments: [Expression], symbol: Expression.Subscript?
  ) -> Expression? {
    guard let function = PredefinedFunction.named(selector),
      function.argumentCounts.contains(arguments.count)
    else { return nil }
    if arguments.count == 2 {
      let (left, right) = (arguments[0], arguments[1])
      let sign = Expression.ArithmeticOperator.allCases.first { $0.selector == selector }
      if let sign { return .arithmetic(sign, left, right) }
      if selector == "objectFrom:withIndex:" { return .index(of: left, symbol ?? .expression(right)) }
      if selector == "castObject:toType:", case .constant(.string(let name)) = right,
        let type = Expression.CastType(rawValue: name)
      {
        return .cast(left, to: type)
      }
    }
    return .function(FunctionCall(selector, arguments))
  }

  /// `FIRST`, `LAST` or `SIZE`.
  private func symbol(_ object: ArchivedObject) -> Expression.Subscript? {
    guard object.className == "NSSymbolicExpression" else { return nil }
    switch object.string("NSToken") {
    case "FIRST": return .first
    case "LAST": return .last
    case "SIZE": return .size
    default: return nil
    }
  }

  /// The keys that a key path's argument names; nil if they are none that a text can hold.
  func keys(_ object: ArchivedObject) throws(ArchiveFlaw) -> [String]? {
    guard object.className == "NSKeyPathSpecifierExpression",
      let path = try spend(on: object.string("NSKeyPath"))
    else { return nil }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return keys.allSatisfy({ !$0.isEmpty }) ? keys : nil
  }
}

extension Expression {
  /// A path that continues a path without a collection operator is one path with it.
  fileprivate static func path(_ keys: [String], of base: Expression) -> Expression {
    switch base {
    case .evaluatedObject: .keyPath(keys, of: nil)
    case .keyPath(let first, let root) where CollectionKeyPath(first) == nil: .keyPath(first + keys, of: root)
    default: .keyPath(keys, of: base)
    }
  }
}
