import ManagedModel
import ModelArchives

extension XcodeModelReader {
  mutating func entity(_ element: XcodeElement) -> EntityDescription {
    check(
      element,
      attributes: Set(entityKeys.keys).union([
        "codeGenerationType", "coreSpotlightDisplayNameExpression", "syncable",
      ]),
      children: [
        "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex",
        "uniquenessConstraints", "userInfo",
      ])
    var entity = EntityDescription(name: required("name", of: element))
    (entity.moduleName, entity.managedObjectClassName) = classNames(
      qualified: element["representedClassName"])
    entity.codeGenerationType = codeGenerationType(of: element)
    entity.isAbstract = element.flag("isAbstract")
    entity.superentityName = element.text("parentEntity")
    entity.renamingIdentifier = element.text("elementID").flatMap { $0 == entity.name ? nil : $0 }
    entity.versionHashModifier = element.text("versionHashModifier")
    entity.coreSpotlightDisplayName = element.text("coreSpotlightDisplayNameExpression")
    entity.userInfo = userInfo(of: element)
    for child in element.children { add(child, to: &entity) }
    return entity
  }

  private mutating func add(_ child: XcodeElement, to entity: inout EntityDescription) {
    switch child.name {
    case "attribute": entity.attributes.append(attribute(child))
    case "relationship": entity.relationships.append(relationship(child))
    case "fetchedProperty": entity.fetchedProperties.append(fetchedProperty(child))
    case "fetchIndex": entity.fetchIndexes.append(fetchIndex(child))
    case "compoundIndexes": entity.compoundIndexes += nameLists(child, list: "compoundIndex", item: "index")
    case "uniquenessConstraints":
      entity.uniquenessConstraints += nameLists(child, list: "uniquenessConstraint", item: "constraint")
    default: break
    }
  }

  private mutating func codeGenerationType(of element: XcodeElement) -> CodeGenerationType? {
    guard let text = element.text("codeGenerationType") else { return nil }
    if let type = CodeGenerationType(rawValue: text) { return type }
    // Xcode's own words for the absence of the attribute.
    if !["manual", "none"].contains(text.lowercased()) {
      report(
        .unreadableValue(
          text, of: "codeGenerationType", in: element, expected: "'class' or 'category'", taken: "none"))
    }
    return nil
  }

  private mutating func nameLists(_ element: XcodeElement, list: String, item: String) -> [[String]] {
    check(element, attributes: [], children: [list])
    var lists: [[String]] = []
    for child in element.children(named: list) {
      check(child, attributes: [], children: [item])
      lists.append(child.children(named: item).map { required("value", of: $0) })
    }
    return lists
  }

  private mutating func fetchIndex(_ element: XcodeElement) -> FetchIndexDescription {
    check(element, attributes: ["name", "partialIndexPredicate"], children: ["fetchIndexElement"])
    var index = FetchIndexDescription(name: required("name", of: element), elements: [])
    index.partialIndexPredicate = element.text("partialIndexPredicate")
    for child in element.children(named: "fetchIndexElement") { index.elements.append(indexElement(child)) }
    return index
  }

  private mutating func indexElement(_ element: XcodeElement) -> FetchIndexElement {
    check(element, attributes: ["property", "type", "order", "expression", "expressionType"], children: [])
    let expression = element.text("expression")
    let property = expression ?? required("property", of: element)
    var collation = FetchIndexCollation.binary
    switch element["type"]?.lowercased() {
    case nil, "binary": break
    case "rtree": collation = .rtree
    case let text?:
      report(
        .unreadableValue(text, of: "type", in: element, expected: "'Binary' or 'RTree'", taken: "Binary"))
    }
    var isAscending = true
    switch element["order"]?.lowercased() {
    case nil, "ascending": break
    case "descending": isAscending = false
    case let text?:
      report(
        .unreadableValue(
          text, of: "order", in: element, expected: "'ascending' or 'descending'", taken: "ascending"))
    }
    return FetchIndexElement(
      property: property, isExpression: expression != nil, collation: collation, isAscending: isAscending)
  }
}
