import Foundation

extension PredefinedFunction {
  /// Functions of any values, and of none.
  static let others: [PredefinedFunction] = [
    PredefinedFunction(
      "now", isDeterministic: false, gives: .value(.date), inRows: .now, inFetch: .parameter("now")
    ) { .date($0.context.now) },
    PredefinedFunction("uuid", origin: .modelc, isDeterministic: false, gives: .value(.uuid)) {
      let bits = $0.context.randomBits
      return .uuid(UUID(version4: bits().byteSwapped, bits().byteSwapped))
    },
    PredefinedFunction("castObject:toType:", "value", "type", gives: .unknown, inRows: .cast) {
      guard case .string(let name) = $0[1], let type = Expression.CastType(rawValue: name) else {
        throw EvaluationError("'\($0.selector)' takes the name of a class, as 'CAST' does")
      }
      return try cast($0[0], to: type)
    },
    PredefinedFunction(
      "noindex:", "value", gives: .first, inRows: .firstArgument, inFetch: .sql { "+\($0[0])" }
    ) {
      $0[0]
    },
    PredefinedFunction(
      "coalesce", "value", isVariadic: true, origin: .modelc, gives: .any, inRows: .firstValue,
      inFetch: .sql { $0.count > 1 ? "COALESCE(\($0.joined(separator: ", ")))" : nil }
    ) { $0.values.first { !$0.isNull } ?? .null },
    PredefinedFunction("objectFrom:withIndex:", "collection", "index", gives: .unknown, inRows: .none) {
      try element(of: $0[0], at: $0[1])
    },
    PredefinedFunction("lookup", "table", "key", origin: .modelc, gives: .unknown, inRows: .none) { _ in
      throw EvaluationError("'lookup' works only in mapping files, which contain its tables")
    },
    PredefinedFunction(
      "destinationInstances", "mapping", "source", optional: 1, origin: .modelc, gives: .unknown,
      inRows: .none
    ) { try destinationInstances($0) },
    PredefinedFunction(
      "distanceToLocation:fromLocation:", "location", "location", gives: .number, inRows: .none
    ) { throw EvaluationError("'\($0.selector)' is for CloudKit: no attribute holds a location") },
  ]
}

/// The readable form of the lookup in the migration manager; without a second argument it is for `$source`.
private func destinationInstances(_ call: FunctionArguments) throws -> ExpressionValue {
  guard case .object(let manager)? = call.context.variables["manager"] else {
    throw EvaluationError("'destinationInstances' needs a migration manager")
  }
  let sources = call.values.count > 1 ? call[1] : call.context.variables["source"] ?? .null
  return try manager.perform(
    "destinationInstancesForEntityMappingNamed:sourceInstances:", with: [call[0], sources])
}
