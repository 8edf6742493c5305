extension PredefinedFunction {
  /// Functions that read values from texts (nil if a text cannot be read) and write values as texts.
  static let conversions: [PredefinedFunction] = [
    PredefinedFunction("parseInt", "text", origin: .modelc, gives: .integer, reads: true) {
      try $0.mapText { Int64($0.trimmed).map { .integer($0) } ?? .null }
    },
    PredefinedFunction("parseDouble", "text", origin: .modelc, gives: .double, reads: true) {
      try $0.mapText { ExpressionValue(AttributeValue(parsing: $0.trimmed, as: .double)) }
    },
    PredefinedFunction("parseDate", "text", "format", origin: .modelc, gives: .value(.date), reads: true) {
      call in
      try call.mapText { call.context.dates.date($0, try call.text(1)).map { .date($0) } ?? .null }
    },
    PredefinedFunction("formatDate", "date", "format", origin: .modelc, gives: .string) {
      if $0.holdsNull { return .null }
      guard case .date(let seconds) = $0[0] else {
        throw EvaluationError.wrongType($0.selector, takes: "a date", $0[0])
      }
      return .string($0.context.dates.text(seconds, try $0.text(1)))
    },
    PredefinedFunction("formatNumber", "number", "pattern", origin: .modelc, gives: .string) {
      guard !$0.holdsNull, let number = try $0.number() else { return .null }
      return .string(try formatted(number, try $0.text(1)))
    },
  ]
}
