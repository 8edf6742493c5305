/// The method of the migration manager that looks up what a mapping made of source objects.
package let lookupSelector = "destinationInstancesForEntityMappingNamed:sourceInstances:"
/// Its sibling, which asks every mapping of a relationship's destination.
package let relationshipLookupSelector = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

extension String {
  /// The expression that gives what became of objects, by whichever mapping, to the relationship of that name.
  ///
  /// - Parameter objects: an expression; nil for the source's own of the same name, as Xcode fills it in by itself.
  package func relationshipLookup(of objects: String? = nil) -> String {
    "FUNCTION($manager, \"\(relationshipLookupSelector)\", \"\(self)\", \(objects ?? "$source.\(self)"))"
  }
}

extension Expression {
  /// `FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "AToA", $source.a)` as
  /// `destinationInstances("AToA", $source.a)`, which means the same.
  package var withReadableLookups: Expression {
    guard case .function(let call) = self, call.selector == lookupSelector,
      call.receiver == .variable("manager")
    else { return self }
    return .function(FunctionCall("destinationInstances", call.arguments))
  }

  /// The mapping and the objects of a lookup, in either form.
  package var lookup: (mapping: String, objects: Expression)? {
    guard case .function(let call) = self, call.arguments.count == 2,
      call.selector == "destinationInstances" && call.receiver == nil
        || call.selector == lookupSelector && call.receiver == .variable("manager"),
      case .constant(.string(let mapping)) = call.arguments[0]
    else { return nil }
    return (mapping, call.arguments[1])
  }

  /// The key path from `$source` that it is.
  package var sourcePath: [String]? {
    guard case .keyPath(let keys, .variable("source")?) = self else { return nil }
    return keys
  }

  /// The relationship of the source that it follows as Core Data does by itself:
  /// `FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "huts", $source.huts)`.
  var followedRelationship: String? {
    guard case .function(let call) = self, call.selector == relationshipLookupSelector,
      call.receiver == .variable("manager"), call.arguments.count == 2,
      case .constant(.string(let name)) = call.arguments[0], call.arguments[1].sourcePath == [name]
    else { return nil }
    return name
  }
}
