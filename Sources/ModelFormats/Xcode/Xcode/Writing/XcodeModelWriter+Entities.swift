import ManagedModel

extension XcodeModelWriter {
  func write(_ entity: EntityDescription, to xml: inout XMLText) {
    xml.element(
      "entity",
      [
        ("name", entity.name), ("representedClassName", entity.qualifiedClassName),
        ("parentEntity", entity.superentityName), ("isAbstract", yes(entity.isAbstract)),
        ("versionHashModifier", entity.versionHashModifier), ("elementID", entity.renamingIdentifier),
        ("syncable", form.syncable(entity.name)), ("codeGenerationType", entity.codeGenerationType?.rawValue),
        ("coreSpotlightDisplayNameExpression", entity.coreSpotlightDisplayName),
      ]
    ) { xml in
      for attribute in entity.attributes { write(attribute, of: entity.name, to: &xml) }
      for relationship in entity.relationships { write(relationship, of: entity.name, to: &xml) }
      for property in entity.fetchedProperties { write(property, of: entity.name, to: &xml) }
      write(entity.compoundIndexes, as: ("compoundIndexes", "compoundIndex", "index"), to: &xml)
      for index in entity.fetchIndexes { write(index, to: &xml) }
      write(
        entity.uniquenessConstraints, as: ("uniquenessConstraints", "uniquenessConstraint", "constraint"),
        to: &xml)
      write(entity.userInfo, to: &xml)
    }
  }

  private func write(
    _ lists: [[String]], as names: (all: String, list: String, item: String), to xml: inout XMLText
  ) {
    guard !lists.isEmpty else { return }
    xml.element(names.all) { xml in
      for list in lists {
        xml.element(names.list) { xml in
          for name in list { xml.element(names.item, [("value", name)]) }
        }
      }
    }
  }

  private func write(_ index: FetchIndexDescription, to xml: inout XMLText) {
    xml.element(
      "fetchIndex", [("name", index.name), ("partialIndexPredicate", index.partialIndexPredicate)]
    ) { xml in
      for element in index.elements {
        xml.element(
          "fetchIndexElement",
          [
            ("property", element.isExpression ? nil : element.property),
            ("expression", element.isExpression ? element.property : nil),
            ("type", element.collation == .rtree ? "RTree" : "Binary"),
            ("order", element.isAscending ? "ascending" : "descending"),
          ])
      }
    }
  }
}
