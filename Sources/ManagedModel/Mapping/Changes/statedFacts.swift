// What a version says of each thing beyond the defaults, in the keys of the model language. Differences compare the same
// facts, so what `show` prints of two versions and what `diff` prints of them agree.

extension EntityDescription {
  /// `abstract true`, `class Diary.Hut`; the parent too.
  package var statedFacts: [(key: String, value: String)] {
    stated(entityFacts, in: self, beyond: EntityDescription(name: name))
  }
}

extension AttributeDescription {
  /// `optional true`, `min 0`, `default 3`; not the type.
  package var statedFacts: [(key: String, value: String)] {
    stated(attributeFacts, in: self, beyond: AttributeDescription(name: name, type: type))
  }
}

extension RelationshipDescription {
  /// `inverse visits`, `deleteRule cascade`; not the destination.
  package var statedFacts: [(key: String, value: String)] {
    stated(
      relationshipFacts, in: self,
      beyond: RelationshipDescription(name: name, destinationEntityName: destinationEntityName))
  }
}

extension FetchIndexDescription {
  /// `elevation desc, name where elevation > 0`.
  package var words: String {
    fetchIndexFacts.compactMap { fact in
      fact.text(self).map { fact.key == "where" ? "where \(shown($0))" : $0 }
    }.joined(separator: " ")
  }
}

extension FetchedPropertyDescription {
  /// `fetches Visit where hut == $FETCH_SOURCE`.
  package var words: String { summary(of: fetchRequest) }
}

private func stated<Root>(
  _ facts: [Fact<Root>], in root: Root, beyond plain: Root
) -> [(key: String, value: String)] {
  facts.compactMap { fact in
    guard fact.differs(plain, root), let text = fact.text(root) else { return nil }
    return (fact.key, text)
  }
}
