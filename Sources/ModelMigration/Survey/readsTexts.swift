import ManagedModel

extension SegmentPath {
  /// Whether it computes with texts, which go to functions as bytes; a policy may, and a fetch of the manager's.
  var readsTexts: Bool {
    let attributes = versions.map(\.model).flatMap {
      $0.entities.flatMap(\.attributes) + $0.composites.flatMap(\.elements)
    }
    let names = Set(attributes.filter(\.type.isText).map(\.name))
    return custom?.mappingModel.entityMappings.contains { mapping in
      let properties = mapping.attributeMappings + mapping.relationshipMappings
      let values = properties.compactMap { property -> Expression? in
        if case .expression(let value) = property.value { value } else { nil }
      }
      let filter = mapping.filter.map { Expression.conditional($0, .constant(.null), .constant(.null)) }
      let computed =
        values + (mapping.grouping?.keys ?? []) + [mapping.grouping?.order, filter].compactMap(\.self)
      return mapping.policyName != nil || computed.contains(where: \.makesTexts)
        || computed.flatMap(\.referencedKeyPaths).contains {
          $0.root == .variable("manager") || !names.isDisjoint(with: $0.keys)
        }
    } ?? false
  }
}

extension Expression {
  /// Whether a text stands in it, or a function makes one; the name of a mapping is no value.
  fileprivate var makesTexts: Bool {
    var count = 0
    _ = rewritten { part in
      switch part {
      case .constant(.string), .cast(_, to: .string): count += 1
      case .function(let call) where PredefinedFunction.named(call.selector)?.result == .string: count += 1
      case .function(let call) where call.selector == "destinationInstances":
        if case .constant(.string)? = call.arguments.first { count -= 1 }
      default: break
      }
      return part
    }
    return count > 0
  }
}
