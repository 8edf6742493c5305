import Expressions

/// The method of the migration manager that looks up what a mapping made of source objects.
let lookupSelector = "destinationInstancesForEntityMappingNamed:sourceInstances:"
/// Its sibling, which asks every mapping of a relationship's destination.
let relationshipLookupSelector = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

extension Expression {
  /// `FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "AToA", $source.a)` as
  /// `destinationInstances("AToA", $source.a)`, which means the same.
  var withReadableLookups: Expression {
    guard case .function(let call) = self, call.selector == lookupSelector,
      call.receiver == .variable("manager")
    else { return self }
    return .function(FunctionCall("destinationInstances", call.arguments))
  }

  /// The key path from `$source` that it is.
  var sourcePath: [String]? {
    guard case .keyPath(let keys, .variable("source")?) = self else { return nil }
    return keys
  }
}
