/// A function that expressions may call by name: its signature, what it gives, its evaluation and its SQL.
///
/// Each family of functions has a file beside this one.
package struct PredefinedFunction: Sendable {
  package enum Origin: Hashable, Sendable {
    /// `NSExpression` defines it.
    case coreData
    /// An addition of modelc, for mappings only: Core Data does not know it.
    case modelc
  }

  /// With its colons, where it has any: `add:to:`, `now`.
  package let selector: String
  package let parameters: [String]
  /// How many arguments it takes.
  package let argumentCounts: ClosedRange<Int>
  package let origin: Origin
  /// Whether equal arguments always give an equal result.
  package let isDeterministic: Bool
  /// Whether it reads a value from its first argument, a text, and gives nil if the text cannot be read.
  package let reads: Bool
  package let result: ResultType
  package let rowForm: RowForm
  package let fetchForm: FetchForm
  let evaluate: @Sendable (FunctionArguments) throws -> ExpressionValue

  init(
    _ selector: String, _ parameters: String..., optional: Int = 0, isVariadic: Bool = false,
    origin: Origin = .coreData, isDeterministic: Bool = true, gives result: ResultType,
    reads: Bool = false, inRows rowForm: RowForm = .call, inFetch fetchForm: FetchForm = .none,
    evaluate: @escaping @Sendable (FunctionArguments) throws -> ExpressionValue
  ) {
    self.selector = selector
    self.parameters = parameters
    self.argumentCounts = (parameters.count - optional)...(isVariadic ? .max : parameters.count)
    self.origin = origin
    self.isDeterministic = isDeterministic
    self.reads = reads
    self.result = result
    self.rowForm = rowForm
    self.fetchForm = fetchForm
    self.evaluate = evaluate
  }

  /// How it is written: `raise:toPower:(number, exponent)`.
  package var signature: String {
    var names = parameters
    for index in names.indices where index >= argumentCounts.lowerBound { names[index] += "?" }
    if argumentCounts.upperBound == .max { names.append("…") }
    return "\(selector)(\(names.joined(separator: ", ")))"
  }

  package static func named(_ selector: String) -> PredefinedFunction? { bySelector[selector] }

  private static let bySelector = Dictionary(firstOf: (all + [found]).map { ($0.selector, $0) })

  package static let all: [PredefinedFunction] = statistics + arithmetic + texts + conversions + others

  /// What `lookup` becomes: the second argument is what was found of the first, nil where the table does not have it. Nobody
  /// writes it.
  static let found = PredefinedFunction(
    "lookup:found:", "key", "value", origin: .modelc, gives: .unknown, reads: true, inRows: .secondArgument
  ) { $0[1] }

  /// What a function gives, as far as it is known before any value is.
  package enum ResultType: Hashable, Sendable {
    /// - bits: how many an integer needs at most, sign apart.
    case value(AttributeType, bits: Int = 64)
    /// A number of any type; all arguments have to be numbers.
    case number
    /// One of the arguments, or of the elements of the only one.
    case element
    /// One of the arguments, which are of the first one's type.
    case first
    /// One of the arguments, of whichever type.
    case any
    case unknown

    package static let string = value(.string)
    package static let double = value(.double)
    package static let integer = value(.integer64)
  }

  /// How SQL computes it for a row with the in-memory meaning.
  package enum RowForm: Hashable, Sendable {
    /// By a call of its evaluation.
    case call
    /// The same; over a to-many it is an aggregate of the objects' values.
    case aggregate
    /// The same; over a to-many it is what the operator of a key path gives.
    case collection(CollectionOperator)
    case arithmetic(Expression.ArithmeticOperator)
    case now, firstArgument, secondArgument, firstValue, concatenation, cast
    /// Not at all: objects are evaluated.
    case none
  }

  /// What it is in a fetch, where SQL's own meaning counts.
  package enum FetchForm: Sendable {
    /// - Returns: nil if arguments of that number have no form.
    case sql(@Sendable (_ arguments: [String]) -> String?)
    /// Of texts alone: what a store has of a date, a UUID or a number is not its text.
    case ofTexts(@Sendable (_ arguments: [String]) -> String)
    case collection(CollectionOperator)
    /// The statement's parameter of this name.
    case parameter(String)
    case none

    static func call(_ name: String) -> FetchForm { .sql { "\(name)(\($0.joined(separator: ", ")))" } }

    static func infix(_ sign: String) -> FetchForm {
      .sql { $0.count == 2 ? "(\($0[0]) \(sign) \($0[1]))" : nil }
    }

    /// Text functions are ours, because SQLite's know ASCII only.
    static func folded(_ form: String) -> FetchForm { .sql { "modelc_fold('\(form)', \($0[0]))" } }
  }
}

extension PredefinedFunction: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.selector == right.selector }
  package func hash(into hasher: inout Hasher) { hasher.combine(selector) }
}
