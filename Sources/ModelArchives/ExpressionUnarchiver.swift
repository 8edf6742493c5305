import ManagedModel

/// Reads archived predicates and expressions into syntax trees.
///
/// The list of classes is closed; an object of any other class is kept as it is (``KeptObject``).
package struct ExpressionUnarchiver {
  private let budget: WorkBudget
  /// How much deeper expressions may be nested.
  private var depth = 200

  package init(_ budget: WorkBudget) { self.budget = budget }

  private func deeper() throws(ArchiveFlaw) -> Self {
    guard depth > 0 else { throw ArchiveFlaw("its expressions are nested too deeply") }
    guard budget.spend(32) else { throw ArchiveFlaw("its expressions expand without limit") }
    var deeper = self
    deeper.depth -= 1
    return deeper
  }

  package func expression(_ value: ArchivedValue) throws(ArchiveFlaw) -> Expression {
    guard let object = value.object else { return .constant(try constant(value) ?? .null) }
    if let expression = try deeper().expression(object) { return expression }
    return try KeptObject.expression(object, budget)
  }

  func predicate(_ object: ArchivedObject) throws(ArchiveFlaw) -> Predicate {
    if let predicate = try deeper().readPredicate(object) { return predicate }
    let kept = try KeptObject.expression(object, budget)
    return .comparison(ComparisonPredicate(kept, .equalTo, .constant(.boolean(true))))
  }

  /// Text that counts against the budget: objects are shared, so little can stand for much.
  func spend(on text: String?) throws(ArchiveFlaw) -> String? {
    if let text, !budget.spend(text.utf8.count) { throw ArchiveFlaw("its expressions expand without limit") }
    return text
  }

  /// Nil if the class, or what it holds, has no text.
  private func expression(_ object: ArchivedObject) throws(ArchiveFlaw) -> Expression? {
    switch object.className {
    case "NSSelfExpression": return .evaluatedObject
    case "NSAnyKeyExpression": return .anyKey
    case "NSVariableExpression":
      let name = try spend(on: object.string("NSVariable"))
      return name.map { .variable($0) }
    case "NSConstantValueExpression": return try constantExpression(object)
    case "NSKeyPathExpression", "NSFunctionExpression": return try function(object)
    case "NSKeyPathSpecifierExpression":
      let path = try keys(object)
      return path.map { .keyPath($0, of: nil) }
    case "NSSetExpression":
      let type = object.integer("NSExpressionType")
      guard let sign = Expression.SetOperator.allCases.first(where: { $0.archivedType == type }) else {
        return nil
      }
      return .set(
        sign, try expression(object["NSLeftExpression"]), try expression(object["NSRightExpression"]))
    case "NSSubqueryExpression":
      guard let variable = try spend(on: object.string("NSVariable")),
        let condition = object.object("NSPredicate")
      else { return nil }
      return .subquery(try expression(object["NSCollection"]), variable: variable, try predicate(condition))
    case "NSTernaryExpression":
      guard let condition = object.object("NSPredicate") else { return nil }
      return .conditional(
        try predicate(condition), try expression(object["NSTrueExpression"]),
        try expression(object["NSFalseExpression"]))
    case "NSFetchRequestExpression":
      return .fetch(
        request: try expression(object["NSFRExpression"]), context: try expression(object["NSMOCExpression"]),
        countOnly: object.flag("NSCountOnlyFlag"))
    case "NSVariableAssignmentExpression":
      guard case .variable(let name) = try expression(object["NSAssignmentVariable"]) else { return nil }
      return .assignment(variable: name, try expression(object["NSSubexpression"]))
    case "NSAggregateExpression":
      return .aggregate(try expressions(object.elements("NSCollection")))
    default: return nil
    }
  }

  func expressions(_ values: [ArchivedValue]) throws(ArchiveFlaw) -> [Expression] {
    try values.map { value throws(ArchiveFlaw) in try expression(value) }
  }

  private func constantExpression(_ object: ArchivedObject) throws(ArchiveFlaw) -> Expression? {
    guard object.fields["NSConstantValue"] != nil else { return nil }
    let value = object["NSConstantValue"]
    // A date has no literal; what stands for it is a cast of its seconds.
    if case .date(let seconds) = value { return number(seconds).map { .cast(.constant($0), to: .date) } }
    if let list = value.object, list.isCollection {
      var elements: [Expression] = []
      for element in list.elements {
        guard budget.spend(32) else { throw ArchiveFlaw("its expressions expand without limit") }
        guard let constant = try constant(element) else { return nil }
        elements.append(.constant(constant))
      }
      return .aggregate(elements)
    }
    if let constant = try constant(value) { return .constant(constant) }
    // What is not an object cannot be kept as one.
    guard let object = value.object else { return nil }
    return try KeptObject.expression(object, budget)
  }

  /// Nil if there is no literal for the value.
  private func constant(_ value: ArchivedValue) throws(ArchiveFlaw) -> ConstantValue? {
    switch value {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .real(let real): return number(real)
    case .string(let text):
      _ = try spend(on: text)
      return .string(text)
    case .object(let object) where object.className.hasPrefix("NSDecimalNumber"):
      guard let decimal = ArchivedDecimal(object)?.decimal else { return nil }
      return DecimalText("\(decimal)").map { .decimal($0) } ?? Int64("\(decimal)").map { .integer($0) }
    case .date, .data, .array, .object: return nil
    }
  }

  private func number(_ real: Double) -> ConstantValue? {
    real.isFinite ? DecimalText("\(real)").map { .decimal($0) } : nil
  }
}

extension ArchivedObject {
  fileprivate var isCollection: Bool {
    ["NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet"].contains(className)
  }
}

extension ExpressionUnarchiver {
  /// Nil if the class, or what it holds, has no text.
  func readPredicate(_ object: ArchivedObject) throws(ArchiveFlaw) -> Predicate? {
    switch object.className {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSCompoundPredicate": return try compound(object)
    case "NSComparisonPredicate":
      let comparison = try comparison(object)
      return comparison.map { .comparison($0) }
    default: return nil
    }
  }

  private func compound(_ object: ArchivedObject) throws(ArchiveFlaw) -> Predicate? {
    var parts: [Predicate] = []
    for element in object.elements("NSSubpredicates") {
      guard let part = element.object else { return nil }
      parts.append(try predicate(part))
    }
    switch ArchivedCompound(rawValue: object.integer("NSCompoundPredicateType") ?? -1) {
    case .not?: return parts.count == 1 ? .not(parts[0]) : nil
    case .and?: return .and(parts)
    case .or?: return .or(parts)
    case nil: return nil
    }
  }

  private func comparison(_ object: ArchivedObject) throws(ArchiveFlaw) -> ComparisonPredicate? {
    guard let archived = object.object("NSPredicateOperator"), let type = comparisonOperator(archived),
      // `NONE` is written as `ANY`.
      let modifier = [ComparisonPredicate.Modifier.direct, .all, .any].first(where: {
        $0.archivedNumber == archived.integer("NSModifier") ?? 0
      })
    else { return nil }
    let bits = archived.integer("NSFlags") ?? archived.integer("NSOptions") ?? 0
    guard (0...15).contains(bits) else { return nil }
    return ComparisonPredicate(
      try expression(object["NSLeftExpression"]), type, try expression(object["NSRightExpression"]),
      modifier: modifier, options: ComparisonPredicate.Options(rawValue: Int(bits)))
  }

  private func comparisonOperator(_ object: ArchivedObject) -> ComparisonPredicate.Operator? {
    let type = object.integer("NSOperatorType") ?? -1
    let candidates = ComparisonPredicate.Operator.allCases.filter { $0.archivedType == type }
    // Equality says by a flag of its own which way it goes.
    if candidates == [.equalTo], object.flag("NSNegate") { return .notEqualTo }
    if candidates.count == 1 { return candidates[0] }
    return candidates.first { $0.rawValue + ":" == object.string("NSSelectorName") }
  }

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
