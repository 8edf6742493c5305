import ManagedModel

extension SegmentPath {
  /// Whether it computes with texts, which go to functions as bytes; a policy may, and a fetch of the manager's.
  var readsTexts: Bool {
    let attributes = versions.map(\.model).flatMap {
      $0.entities.flatMap(\.attributes) + $0.composites.flatMap(\.elements)
    }
    let names = Set(attributes.filter(\.type.isText).map(\.name))
    return custom?.mappingModel.entityMappings.contains { mapping in
      let filter = mapping.filter.map { Expression.conditional($0, .constant(.null), .constant(.null)) }
      var computed = (mapping.grouping?.keys ?? []) + [mapping.grouping?.order, filter].compactMap(\.self)
      let properties = mapping.attributeMappings + mapping.relationshipMappings
      for case .expression(let value) in properties.map(\.value) {
        // The name of a mapping is no value.
        computed.append(value.lookup?.objects ?? value)
      }
      return mapping.policyName != nil || computed.contains(where: \.makesTexts)
        || computed.flatMap(\.referencedKeyPaths).contains {
          $0.root == .variable("manager") || !names.isDisjoint(with: $0.keys)
        }
    } ?? false
  }
}

extension Expression {
  /// Whether a text stands in it, or a function makes one.
  fileprivate var makesTexts: Bool {
    allParts.contains { part in
      switch part {
      case .constant(.string), .cast(_, to: .string): true
      case .function(let call): PredefinedFunction.named(call.selector)?.result == .string
      default: false
      }
    }
  }
}
