import Foundation

/// Evaluates one expression. A variable that `$x := …` assigns lives until its end.
struct Evaluator {
  /// Deeper trees than any text gives come from archives that want to exhaust the stack.
  private static let depthLimit = 500
  private static let stepsBetweenQuestions = 1_024

  let object: ExpressionValue
  let context: EvaluationContext
  /// What subqueries and assignments bind.
  private var bindings: [String: ExpressionValue] = [:]
  private var depth = 0
  private var steps = 0

  init(_ object: ExpressionValue, _ context: EvaluationContext) {
    (self.object, self.context) = (object, context)
  }

  mutating func value(of expression: Expression) throws -> ExpressionValue {
    try descend()
    defer { depth -= 1 }
    do {
      return try bareValue(of: expression)
    } catch var error as EvaluationError where error.expression == nil {
      error.expression = cut(expression.description)
      throw error
    }
  }

  /// One level more; every level of predicates and expressions counts.
  mutating func descend() throws {
    depth += 1
    try countStep()
    if depth > Self.depthLimit {
      // The tree itself is too deep to be printed.
      throw EvaluationError("nested more than \(Self.depthLimit) levels deep", expression: "…")
    }
  }

  mutating func ascend() { depth -= 1 }

  /// Ends the evaluation at a limit: nested subqueries take as many steps as the product of their collections' sizes.
  private mutating func countStep() throws {
    steps += 1
    if steps > context.stepLimit {
      throw EvaluationError(
        "it takes more than \(context.stepLimit) steps for one object",
        help: ["look for subqueries within subqueries; a policy can look such objects up once"])
    }
    if steps % Self.stepsBetweenQuestions == 0, context.shouldStop() { throw CancellationError() }
  }

  private mutating func bareValue(of expression: Expression) throws -> ExpressionValue {
    switch expression {
    case .constant(let constant): return ExpressionValue(constant)
    case .evaluatedObject: return object
    case .anyKey: throw EvaluationError("'ANYKEY' works only in Spotlight's stores")
    case .variable(let name):
      if let value = bindings[name] ?? context.variables[name] { return value }
      let known = context.variables.keys.sorted().map { "$\($0)" }.joined(separator: ", ")
      throw EvaluationError("there is no variable '$\(name)'", help: known.isEmpty ? [] : ["known: \(known)"])
    case .keyPath(let keys, let base):
      let start = try base.map { base throws in try value(of: base) } ?? object
      return try follow(keys[...], from: start)
    case .index(let base, let position): return try value(at: position, of: base)
    case .function(let call): return try value(of: call)
    case .arithmetic(let sign, let left, let right):
      return try calculate(sign.rawValue, try value(of: left), try value(of: right))
    case .negation(let operand): return try value(of: operand).negated()
    case .set(let sign, let left, let right):
      return try combine(sign, try value(of: left), try value(of: right))
    case .assignment(let name, let value):
      let assigned = try self.value(of: value)
      bindings[name] = assigned
      return assigned
    case .conditional(let condition, let value, let otherwise):
      return try holds(condition) ? self.value(of: value) : self.value(of: otherwise)
    case .cast(let operand, let type): return try cast(try value(of: operand), to: type)
    case .subquery(let collection, let variable, let condition):
      return try filter(collection, variable, condition)
    case .fetch(let request, let context, let countOnly):
      let (wanted, place) = (try value(of: request), try value(of: context))
      guard let fetch = self.context.fetch else {
        throw EvaluationError(
          "nothing can be fetched here", help: ["fetch in a mapping's source expression or in a policy"])
      }
      return try fetch(wanted, place, countOnly)
    case .aggregate(let elements):
      return .collection(ValueCollection(try elements.map { element throws in try value(of: element) }))
    }
  }

  /// The elements that satisfy the condition, in a collection of the same kind.
  private mutating func filter(
    _ collection: Expression, _ variable: String, _ condition: Predicate
  ) throws -> ExpressionValue {
    let source = try value(of: collection)
    let kind: ValueCollection.Kind
    switch source {
    case .collection(let collection): kind = collection.kind
    // As a key path through nil gives nil, a subquery over it gives none.
    case .null: kind = .array
    default: throw EvaluationError.wrongType("SUBQUERY", takes: "a collection", source)
    }
    let outer = bindings[variable]
    defer { bindings[variable] = outer }
    var found: [ExpressionValue] = []
    for element in source.elements {
      bindings[variable] = element
      if try holds(condition) { found.append(element) }
    }
    return .collection(ValueCollection(found, as: kind))
  }

  mutating func value(of call: FunctionCall) throws -> ExpressionValue {
    let receiver = try call.receiver.map { receiver throws in try value(of: receiver) }
    // Arguments after the first value are not evaluated: they could fail.
    if receiver == nil, call.selector == "coalesce" { return try firstValue(call.arguments) }
    var arguments: [ExpressionValue] = []
    arguments.reserveCapacity(call.arguments.count)
    for argument in call.arguments { arguments.append(try value(of: argument)) }
    switch receiver {
    case nil: return try context.callFunction(call.selector, arguments)
    // A message to nil gives nil.
    case .null?: return .null
    case .object(let object)?: return try object.perform(call.selector, with: arguments)
    case let receiver?: return try receiver.performPlain(call.selector, with: arguments)
    }
  }

  private mutating func firstValue(_ arguments: [Expression]) throws -> ExpressionValue {
    for argument in arguments {
      let value = try value(of: argument)
      if !value.isNull { return value }
    }
    return .null
  }

  /// Follows keys one by one: from nil to nil, from a collection to what each of its elements has.
  private mutating func follow(_ keys: ArraySlice<String>, from start: ExpressionValue) throws
    -> ExpressionValue
  {
    var value = start
    var rest = keys
    while let key = rest.popFirst() {
      if let aggregate = CollectionOperator(rawValue: key) {
        return try apply(aggregate, to: value, operand: rest)
      }
      value = try step(key, from: value)
    }
    return value
  }

  private mutating func step(_ key: String, from value: ExpressionValue) throws -> ExpressionValue {
    try countStep()
    switch value {
    case .null: return .null
    case .object(let object): return key == "self" ? value : try object.expressionValue(forKey: key)
    case .dictionary(let entries): return entries[key] ?? .null
    case .collection(let collection):
      // A value for each element, also where several have the same one, so that `sum:(songs.length)` and
      // `songs.@sum.length` agree.
      let found = try collection.elements.map { element throws in try step(key, from: element) }
      return .collection(ValueCollection(found))
    default: return try value.valueOfPlain(forKey: key)
    }
  }

  /// An operator takes the rest of the path, which leads from each element.
  private mutating func apply(
    _ aggregate: CollectionOperator, to collection: ExpressionValue, operand keys: ArraySlice<String>
  ) throws -> ExpressionValue {
    switch collection {
    case .null, .collection: break
    default: throw EvaluationError.wrongType(aggregate.rawValue, takes: "a collection before it", collection)
    }
    if aggregate == .count, keys.isEmpty { return .integer(Int64(collection.elements.count)) }
    let values = try collection.elements.map { element throws in try follow(keys, from: element) }
    switch aggregate {
    case .count: return .integer(Int64(values.count))
    case .sum: return try sum(values.flattened)
    case .average: return try values.flattened.average()
    case .minimum: return try values.flattened.extreme("@min") { $0 < 0 }
    case .maximum: return try values.flattened.extreme("@max") { $0 > 0 }
    case .unionOfObjects: return .collection(ValueCollection(values.filter { !$0.isNull }))
    case .distinctUnionOfObjects: return .collection(ValueCollection(values.filter { !$0.isNull }.distinct))
    case .unionOfArrays: return .collection(ValueCollection(values.flatMap(\.elements)))
    case .distinctUnionOfArrays: return .collection(ValueCollection(values.flatMap(\.elements).distinct))
    case .distinctUnionOfSets: return .collection(ValueCollection(values.flatMap(\.elements), as: .set))
    }
  }

  mutating func value(at position: Expression.Subscript, of base: Expression) throws -> ExpressionValue {
    let collection = try value(of: base)
    switch position {
    case .first: return try elements(collection).first ?? .null
    case .last: return try elements(collection).last ?? .null
    case .size: return .integer(Int64(try elements(collection).count))
    case .expression(let index): return try element(of: collection, at: try value(of: index))
    }
  }

  private func elements(_ collection: ExpressionValue) throws -> [ExpressionValue] {
    switch collection {
    case .null, .collection: return collection.elements
    default: throw EvaluationError.wrongType("[…]", takes: "a collection", collection)
    }
  }

  /// `UNION`, `INTERSECT`, `MINUS`: in the order of the left side.
  func combine(
    _ sign: Expression.SetOperator, _ left: ExpressionValue, _ right: ExpressionValue
  ) throws -> ExpressionValue {
    let others = Set(right.elements.map(ValueKey.init))
    let elements: [ExpressionValue]
    switch sign {
    case .union: elements = left.elements + right.elements
    case .intersect: elements = left.elements.filter { others.contains(ValueKey($0)) }
    case .minus: elements = left.elements.filter { !others.contains(ValueKey($0)) }
    }
    return .collection(ValueCollection(elements, as: left.isOrdered ? .orderedSet : .set))
  }
}

/// Long expressions are cut; the beginning is enough to recognise one.
private func cut(_ text: String) -> String { text.count > 200 ? text.prefix(200) + "…" : text }

extension ExpressionValue {
  /// A method of a plain value: its keys without arguments, and those of Foundation that mappings call.
  fileprivate func performPlain(_ selector: String, with arguments: [ExpressionValue]) throws
    -> ExpressionValue
  {
    if arguments.isEmpty, let value = try? valueOfPlain(forKey: selector) { return value }
    switch (self, selector, arguments.first, arguments.last) {
    case (_, "isEqual:", let other?, _): return .boolean(areEqual(self, other))
    case (.string(let text), "stringByAppendingString:", .string(let other)?, _):
      return .string(try (text + other).limitedText())
    case (
      .string(let text), "stringByReplacingOccurrencesOfString:withString:", .string(let search)?,
      .string(let replacement)?
    ):
      return .string(try replaced(text, search, replacement))
    case (.string(let text), "componentsSeparatedByString:", .string(let separator)?, _):
      return .collection(ValueCollection(text.components(separatedBy: separator).map { .string($0) }))
    case (.date(let seconds), "dateByAddingTimeInterval:", let interval?, _):
      guard let number = Number(interval) else { break }
      return .date(seconds + number.doubleValue)
    case (.collection, "objectAtIndex:", let index?, _), (.dictionary, "objectForKey:", let index?, _):
      return try element(of: self, at: index)
    case (.collection(let collection), "count", nil, _): return .integer(Int64(collection.elements.count))
    case (.collection(let collection), "firstObject", nil, _),
      (.collection(let collection), "anyObject", nil, _):
      return collection.elements.first ?? .null
    case (.collection(let collection), "lastObject", nil, _): return collection.elements.last ?? .null
    case (.collection(let collection), "allObjects", nil, _):
      return .collection(ValueCollection(collection.elements))
    case (.collection(let collection), "componentsJoinedByString:", .string(let separator)?, _):
      let parts = try collection.elements.map { element throws in
        guard let part = element.text else {
          throw EvaluationError.wrongType(selector, takes: "values", element)
        }
        return part
      }
      return .string(try parts.joined(separator: separator).limitedText())
    default: break
    }
    throw EvaluationError.unknownSelector(selector, of: label)
  }

  fileprivate var isOrdered: Bool {
    if case .collection(let collection) = self { collection.kind != .set } else { false }
  }
}
