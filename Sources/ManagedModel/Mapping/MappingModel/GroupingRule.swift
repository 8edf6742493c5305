/// Which source objects become one object: an attribute that becomes an entity of its own, or duplicates that go.
///
/// What the executor does, over the source objects that pass the mapping's filter:
///
/// 1. It evaluates ``keys`` for every object, with the object as `$source` and as `SELF`. Objects whose keys are all
///    equal form a group: text by its bytes, numbers by value. An object with a nil among its keys is a group of its
///    own, as NULLs are distinct in a uniqueness constraint.
/// 2. It orders each group by ``order`` (nils first), then by primary key; without ``order`` by primary key alone.
/// 3. It makes one destination object per group, in the order of the groups' kept objects' primary keys, and
///    evaluates the property mappings as ``keep`` says. The object has the primary key of the kept source object
///    where the mapping is the only one of its source that leads to the destination's table.
/// 4. With ``DropRule/repoint`` it associates every object of the group with that destination object, so that
///    lookups (`destinationInstances`) and default relationships of others follow it; else the kept object alone.
package struct GroupingRule: Hashable, Sendable {
  /// One at least; expressions over `$source`.
  package var keys: [Expression]
  package var keep: KeepRule
  /// Nil for the order of the primary keys.
  package var order: Expression?
  /// Whether a person wrote which object stays. Where not, objects of a group may not differ in what is carried over.
  package var statesKeep: Bool

  package init(keys: [Expression], keep: KeepRule? = nil, order: Expression? = nil) {
    self.keys = keys
    self.keep = keep ?? .first
    self.order = order
    statesKeep = keep != nil
  }
}

/// Which object of a group gives the destination object its values.
package enum KeepRule: String, Hashable, Sendable, CaseIterable {
  /// The first one in the group's order ("keep persisted").
  case first
  /// The last one ("last wins").
  case last
  /// Property by property: the first value in the group's order that is not nil. A to-many relationship takes what
  /// all objects of the group lead to, in that order, each once. A policy is called for the first object.
  case merge
}
