/// A function that expressions may call by name.
package struct PredefinedFunction: Hashable, Sendable {
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

  fileprivate init(
    _ selector: String, _ parameters: String..., optional: Int = 0, isVariadic: Bool = false,
    origin: Origin = .coreData, isDeterministic: Bool = true
  ) {
    self.selector = selector
    self.parameters = parameters
    self.argumentCounts = (parameters.count - optional)...(isVariadic ? .max : parameters.count)
    self.origin = origin
    self.isDeterministic = isDeterministic
  }

  /// How it is written: `raise:toPower:(number, exponent)`.
  package var signature: String {
    var names = parameters
    for index in names.indices where index >= argumentCounts.lowerBound { names[index] += "?" }
    if argumentCounts.upperBound == .max { names.append("…") }
    return "\(selector)(\(names.joined(separator: ", ")))"
  }

  package static func named(_ selector: String) -> PredefinedFunction? { bySelector[selector] }

  private static let bySelector = Dictionary(
    all.map { ($0.selector, $0) }, uniquingKeysWith: { first, _ in first })

  package static let all: [PredefinedFunction] = statistics + arithmetic + values + additions

  private static let statistics = [
    "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
  ].map { PredefinedFunction($0, "values", isVariadic: true) }

  private static let arithmetic: [PredefinedFunction] = [
    PredefinedFunction("add:to:", "number", "number"),
    PredefinedFunction("from:subtract:", "number", "number"),
    PredefinedFunction("multiply:by:", "number", "number"),
    PredefinedFunction("divide:by:", "number", "number"),
    PredefinedFunction("modulus:by:", "number", "number"),
    PredefinedFunction("raise:toPower:", "number", "exponent"),
    PredefinedFunction("abs:", "number"),
    PredefinedFunction("sqrt:", "number"),
    PredefinedFunction("log:", "number"),
    PredefinedFunction("ln:", "number"),
    PredefinedFunction("exp:", "number"),
    PredefinedFunction("ceiling:", "number"),
    PredefinedFunction("floor:", "number"),
    PredefinedFunction("trunc:", "number"),
    PredefinedFunction("bitwiseAnd:with:", "number", "number"),
    PredefinedFunction("bitwiseOr:with:", "number", "number"),
    PredefinedFunction("bitwiseXor:with:", "number", "number"),
    PredefinedFunction("leftshift:by:", "number", "bits"),
    PredefinedFunction("rightshift:by:", "number", "bits"),
    PredefinedFunction("onesComplement:", "number"),
    PredefinedFunction("random", isDeterministic: false),
    PredefinedFunction("random:", "bound", isDeterministic: false),
    PredefinedFunction("randomn:", "bound", isDeterministic: false),
  ]

  private static let values: [PredefinedFunction] = [
    PredefinedFunction("now", isDeterministic: false),
    PredefinedFunction("uppercase:", "text"),
    PredefinedFunction("lowercase:", "text"),
    PredefinedFunction("canonical:", "text"),
    PredefinedFunction("length:", "text"),
    PredefinedFunction("castObject:toType:", "value", "type"),
    PredefinedFunction("objectFrom:withIndex:", "collection", "index"),
    PredefinedFunction("noindex:", "value"),
    PredefinedFunction("distanceToLocation:fromLocation:", "location", "location"),
  ]

  private static let additions: [PredefinedFunction] = [
    PredefinedFunction("coalesce", "value", isVariadic: true, origin: .modelc),
    PredefinedFunction("concat", "text", isVariadic: true, origin: .modelc),
    PredefinedFunction("trim", "text", origin: .modelc),
    PredefinedFunction("replace", "text", "search", "replacement", origin: .modelc),
    PredefinedFunction("substr", "text", "start", "length", optional: 1, origin: .modelc),
    PredefinedFunction("uuid", origin: .modelc, isDeterministic: false),
    PredefinedFunction("parseInt", "text", origin: .modelc),
    PredefinedFunction("parseDouble", "text", origin: .modelc),
    PredefinedFunction("parseDate", "text", "format", origin: .modelc),
    PredefinedFunction("formatDate", "date", "format", origin: .modelc),
    PredefinedFunction("formatNumber", "number", "pattern", origin: .modelc),
    PredefinedFunction("clamp", "value", "least", "greatest", origin: .modelc),
    PredefinedFunction("hash", "value", origin: .modelc),
    PredefinedFunction("lookup", "table", "key", origin: .modelc),
    PredefinedFunction("transform", "text", "identifier", origin: .modelc),
    PredefinedFunction("destinationInstances", "mapping", "source", optional: 1, origin: .modelc),
  ]
}
