/// Evaluates one expression. A variable that `$x := …` assigns lives until its end.
struct Evaluator {
  /// Deeper trees than any text gives come from archives that want to exhaust the stack.
  private static let depthLimit = 500

  let object: ExpressionValue
  let context: EvaluationContext
  /// What subqueries and assignments bind.
  private var bindings: [String: ExpressionValue] = [:]
  private var depth = 0
  let budget: EvaluationBudget

  init(_ object: ExpressionValue, _ context: EvaluationContext) {
    self.object = object
    self.context = context
    budget = EvaluationBudget(shouldStop: context.shouldStop)
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
    try budget.spend()
    if depth > Self.depthLimit { throw EvaluationError.tooDeep(Self.depthLimit) }
  }

  mutating func ascend() { depth -= 1 }

  private mutating func bareValue(of expression: Expression) throws -> ExpressionValue {
    switch expression {
    case .constant(let constant): return ExpressionValue(constant)
    case .evaluatedObject: return object
    case .anyKey: throw EvaluationError.anyKey
    case .variable(let name): return try value(ofVariable: name)
    case .keyPath(let keys, let base):
      let start = try base.map { base throws in try value(of: base) } ?? object
      return try follow(keys[...], from: start)
    case .index(let base, let position): return try value(at: position, of: base)
    case .function(let call): return try value(of: call)
    case .arithmetic(let sign, let left, let right):
      return try calculate(sign.rawValue, try value(of: left), try value(of: right))
    case .negation(let operand): return try negated(try value(of: operand))
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
      return try fetch(try value(of: request), try value(of: context), countOnly)
    case .aggregate(let elements):
      return .collection(ValueCollection(try elements.map { element throws in try value(of: element) }))
    }
  }

  private func value(ofVariable name: String) throws -> ExpressionValue {
    if let value = bindings[name] ?? context.variables[name] { return value }
    throw EvaluationError.unknownVariable(name, known: Array(context.variables.keys))
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

  private func fetch(
    _ request: ExpressionValue, _ place: ExpressionValue, _ countOnly: Bool
  ) throws -> ExpressionValue {
    guard let fetch = context.fetch else { throw EvaluationError.cannotFetch }
    return try fetch(request, place, countOnly)
  }
}

/// Long expressions are cut; the beginning is enough to recognise one.
private func cut(_ text: String) -> String {
  text.count > 200 ? text.prefix(200) + "…" : text
}

extension EvaluationError {
  fileprivate static func tooDeep(_ limit: Int) -> EvaluationError {
    // The tree itself is too deep to be printed.
    EvaluationError("nested more than \(limit) levels deep", expression: "…")
  }

  fileprivate static let anyKey = EvaluationError("only Spotlight's stores know 'ANYKEY'")

  fileprivate static let cannotFetch = EvaluationError(
    "nothing can be fetched here", help: ["fetch in a mapping's source expression or in a policy"])

  fileprivate static func unknownVariable(_ name: String, known: [String]) -> EvaluationError {
    let names = known.sorted().map { "$\($0)" }
    return EvaluationError(
      "there is no variable '$\(name)'",
      help: names.isEmpty ? [] : ["known: \(names.joined(separator: ", "))"])
  }
}
