/// Finds types and errors, from the leaves up. An error is reported once; what depends on it has an unknown type.
struct ExpressionChecker {
  /// What names mean at one place of an expression.
  struct Scope {
    var entityName: String
    var variables: [String: ExpressionType]
    var keysComparedWithNil: Set<Expression> = []
  }

  let hierarchy: EntityHierarchy
  let mode: EvaluationMode
  /// The mapping whose expression it is, where it is one.
  var mapping: MappingExpressionContext?
  /// May repeat; ``findings(_:_:)`` gives each once.
  var found: [Diagnostic] = []

  func findings(_ subject: ModelSubject?, _ place: SourceRange?) -> [Diagnostic] {
    found.unique.map { $0.found(in: subject, at: place) }
  }

  mutating func requireEntity(_ name: String) -> Bool {
    if hierarchy.entity(named: name) != nil { return true }
    found.append(
      .unknownKeyPath, .error, "there is no entity '\(name)'",
      help: .didYouMean(name, among: hierarchy.model.entities.map(\.name)))
    return false
  }

  mutating func type(of expression: Expression, _ scope: Scope) -> ExpressionType {
    switch expression {
    case .constant(let value): return value.type
    case .evaluatedObject: return .object(entityName: scope.entityName)
    case .anyKey: return .unknown
    case .variable(let name):
      if scope.variables[name] == nil, mapping != nil { found.append(.unknownVariable(name, among: scope)) }
      return scope.variables[name] ?? .unknown
    case .keyPath(let keys, let base):
      let start = base.map { type(of: $0, scope) } ?? .object(entityName: scope.entityName)
      return type(ofKeys: keys[...], from: start, path: expression.description)
    case .index(let base, let position): return type(ofElement: position, of: type(of: base, scope), scope)
    case .function(let call): return type(of: call, scope)
    case .arithmetic(let sign, let left, let right):
      requireNumber(type(of: left, scope), sign.rawValue)
      requireNumber(type(of: right, scope), sign.rawValue)
      return .number
    case .negation(let operand):
      requireNumber(type(of: operand, scope), "-")
      return .number
    case .set(_, let left, let right): return type(of: left, scope).joined(with: type(of: right, scope))
    case .assignment(_, let value): return type(of: value, scope)
    case .conditional(let condition, let value, let otherwise):
      check(condition, scope)
      return type(of: value, scope).joined(with: type(of: otherwise, scope))
    case .cast(let value, let type):
      _ = self.type(of: value, scope)
      return type.type
    case .subquery(let collection, let variable, let condition):
      let type = type(of: collection, scope)
      var inner = scope
      inner.variables[variable] = type.element
      check(condition, inner)
      return type.isCollection ? type : .collection(type)
    case .fetch(let request, let context, let countOnly):
      _ = (type(of: request, scope), type(of: context, scope))
      return countOnly ? .number : .collection(.unknown)
    case .aggregate(let elements):
      let types = elements.map { type(of: $0, scope) }
      return .collection(types.dropFirst().reduce(types.first ?? .unknown) { $0.joined(with: $1) })
    }
  }

  private mutating func type(
    ofElement position: Expression.Subscript, of collection: ExpressionType, _ scope: Scope
  ) -> ExpressionType {
    switch position {
    case .size: return .number
    case .first, .last: return collection.element
    case .expression(let index):
      _ = type(of: index, scope)
      return collection.isCollection ? collection.element : .unknown
    }
  }

  private mutating func type(of call: FunctionCall, _ scope: Scope) -> ExpressionType {
    if let receiver = call.receiver { _ = type(of: receiver, scope) }
    let types = call.arguments.map { type(of: $0, scope) }
    if let mapping, let type = type(of: call, types, in: mapping) { return type }
    guard call.receiver == nil, let function = PredefinedFunction.named(call.selector) else {
      return .unknown
    }
    // In a mapping each value would end the migration; SQL's own functions take what is no text.
    if mapping != nil, function.parameters.first == "text", function.rowForm == .call, let type = types.first,
      [.number, .boolean, .date, .binary, .uuid].contains(type)
    {
      found.append(
        .comparedTypes, .error, "'\(call.selector)' takes a string, found \(type.label)",
        help: type == .number ? [.castingNumber] : [])
    }
    return function.type(ofArguments: types)
  }

  private mutating func requireNumber(_ type: ExpressionType, _ sign: String) {
    switch type {
    case .unknown, .null, .number, .boolean: break
    default: found.append(.comparedTypes, .error, "'\(sign)' takes numbers, found \(type.label)")
    }
  }
}

extension ConstantValue {
  fileprivate var type: ExpressionType {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer, .decimal: .number
    case .string: .string
    }
  }
}

extension Expression.CastType {
  fileprivate var type: ExpressionType {
    switch self {
    case .date: .date
    case .number, .decimalNumber: .number
    case .string: .string
    }
  }
}

extension PredefinedFunction {
  fileprivate func type(ofArguments types: [ExpressionType]) -> ExpressionType {
    switch result {
    case .value(let type, _): ExpressionType(AttributeDescription(name: "", type: type))
    case .number: .number
    case .element: types.count == 1 ? types.first?.element ?? .unknown : .unknown
    case .first: types.first ?? .unknown
    case .any: types.dropFirst().reduce(types.first ?? .unknown) { $0.joined(with: $1) }
    case .unknown: .unknown
    }
  }
}

extension Diagnostic.Code {
  package static let unknownKeyPath = Self(
    "MC1601", accepted: .init("fetch requests for unknown entities or keys", "kept; fetches with them fail"))
  package static let comparedTypes = Self(
    "MC1605", accepted: .init("fetch requests that compare unlike types", "kept as they are"))
}

extension Diagnostic {
  /// The same finding in a text that a subject says; edits of it are made there.
  func found(in subject: ModelSubject?, at place: SourceRange?) -> Self {
    with { finding in
      (finding.subject, finding.place) = (subject, place)
      finding.edits =
        subject.map { subject in
          edits.map { ModelEdit($0.message, at: subject, $0.change, isSafe: $0.isSafe) }
        } ?? []
    }
  }

  /// The same finding with the near key as help, and as an edit of the expression's text.
  func suggestingWord(
    nearestTo key: String, among keys: [String], at subject: ModelSubject = ModelSubject()
  ) -> Self {
    let near = nearMatch(to: key, among: keys)
    return near.map { offering($0, .replaceWord(key, with: $0.name), at: subject) } ?? self
  }
}
