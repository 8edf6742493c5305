package import ManagedModel

/// What differs between the objects of two stores, entity by entity.
package struct StoreDifference: Sendable {
  /// The objects of one entity on both sides.
  package struct Entity: Sendable {
    /// Its name in the earlier store; nil if that has no such entity.
    package var before: String?
    /// Its name in the later store; nil if that has no such entity.
    package var after: String?
    /// How objects are matched.
    package var identity: Identity
    package var beforeCount = 0
    package var afterCount = 0
    package var added = 0
    package var removed = 0
    package var changed = 0
    /// Those that differ, as far as they were wanted: removed and changed ones by their identity, then added ones.
    package var objects: [Object] = []
    /// Properties that only the earlier store has.
    package var onlyBefore: [String] = []
    /// Properties that only the later store has.
    package var onlyAfter: [String] = []

    package var name: String { after ?? before ?? "" }
    package var equal: Int { afterCount - added - changed }
    package var differing: Int { added + removed + changed }
    /// Whether objects of both stores lack a property in one of them: their values may have been dropped.
    package var isOneSided: Bool { equal + changed > 0 && !(onlyBefore.isEmpty && onlyAfter.isEmpty) }
  }

  /// What finds an object of one store in the other, for entities whose attributes the caller did not name.
  package enum Matching: Sendable {
    /// Primary keys where the stores have one UUID, and so are states of one store; else values.
    case automatic
    case primaryKeys
    case values
  }

  /// By what an object of one store is found in the other.
  package enum Identity: Hashable, Sendable {
    /// The primary key.
    case primaryKey
    /// Attributes that the caller named.
    case chosen([String])
    /// The attributes of a uniqueness constraint.
    case constraint([String])
    /// An attribute that names objects, and has another value for each in both stores.
    case identifier(String)
    /// All attributes: an object that changes is another one.
    case content

    package var attributes: [String] {
      switch self {
      case .chosen(let names), .constraint(let names): names
      case .identifier(let name): [name]
      case .primaryKey, .content: []
      }
    }
  }

  /// An object that is not the same in both.
  package struct Object: Sendable {
    package enum Kind: String, Sendable, CaseIterable { case added, removed, changed }

    package var kind: Kind
    /// Its primary key in the earlier store.
    package var before: Int64?
    /// Its primary key in the later store.
    package var after: Int64?
    /// The values of its identity.
    package var identity: [Property]
    /// What differs; of an object that only one store has, all it holds.
    package var properties: [Property]
  }

  package struct Property: Sendable {
    package var name: String
    package var before: Value?
    package var after: Value?
    /// Of an ordered to-many, what only has another place in the order: the last in both values.
    package var moved: [String] = []
  }

  package enum Value: Hashable, Sendable {
    case value(AttributeValue)
    /// What a to-one leads to, by its identity.
    case object(String)
    /// What a to-many leads to; of one that changed, only what the other side lacks, or has at another place of the order.
    case objects([String])
  }

  /// The stores' versions; one that a store carries itself is called as its file.
  package var before: ModelVersion
  package var after: ModelVersion
  package var entities: [Entity]
  /// Cells that hold no value of their property; they are equal where they hold the same.
  package var unreadableCount: Int

  package var from: String { before.name }
  package var to: String { after.name }
  package var differing: Int { entities.reduce(0) { $0 + $1.differing } }

  /// The same with other values in the place of attributes' values.
  package func replacingValues(by replacement: (AttributeValue) -> AttributeValue) -> Self {
    func replaced(_ value: Value?) -> Value? {
      if case .value(let value)? = value { .value(replacement(value)) } else { value }
    }
    func replaced(_ properties: [Property]) -> [Property] {
      properties.map {
        Property(name: $0.name, before: replaced($0.before), after: replaced($0.after), moved: $0.moved)
      }
    }
    var result = self
    result.entities.editEach { entity in
      entity.objects.editEach {
        ($0.identity, $0.properties) = (replaced($0.identity), replaced($0.properties))
      }
    }
    return result
  }
}
