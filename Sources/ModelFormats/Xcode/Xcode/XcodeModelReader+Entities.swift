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
    // Xcode's own words for the absence of the attribute.
    let generation = element.text("codeGenerationType").flatMap {
      ["manual", "none"].contains($0.lowercased()) ? nil : $0
    }
    entity.codeGenerationType = value(
      generation, of: "codeGenerationType", in: element, expected: "'class' or 'category'", taken: "none",
      CodeGenerationType.init(rawValue:))
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
    let collation = value(
      element["type"]?.lowercased(), of: "type", in: element, expected: "'Binary' or 'RTree'", taken: "Binary"
    ) { ["binary": FetchIndexCollation.binary, "rtree": .rtree][$0] }
    let isAscending = value(
      element["order"]?.lowercased(), of: "order", in: element, expected: "'ascending' or 'descending'",
      taken: "ascending"
    ) { ["ascending": true, "descending": false][$0] }
    return FetchIndexElement(
      property: property, isExpression: expression != nil, collation: collation ?? .binary,
      isAscending: isAscending ?? true)
  }

  /// What the document says to Xcode alone.
  func editorSettings(of root: XcodeElement) -> EditorSettings {
    EditorSettings(
      minimumToolsVersion: root["minimumToolsVersion"], sourceLanguage: root["sourceLanguage"],
      usedWithCloudKit: root.flag("usedWithCloudKit"), usedWithSwiftData: root.flag("usedWithSwiftData"),
      cloudKitConfigurations: root.children(named: "configuration").filter { $0.flag("usedWithCloudKit") }
        .compactMap { $0.text("name") },
      notSyncable: root.children(named: "entity").flatMap(notSyncable),
      lastSavedToolsVersion: root.text("lastSavedToolsVersion"), systemVersion: root.text("systemVersion"),
      diagram: root.children(named: "elements").first.map(diagram))
  }

  /// An entity and those of its properties that have `syncable="NO"`, by name.
  private func notSyncable(in entity: XcodeElement) -> [String] {
    let name = entity.text("name") ?? ""
    return ([entity] + entity.children).filter { $0["syncable"] != nil && !$0.flag("syncable") }
      .map { $0.name == "entity" ? name : "\(name).\($0.text("name") ?? "")" }
  }

  /// The boxes of the diagram, each name once. What is not a number is zero: Xcode lays such a box out anew.
  private func diagram(of element: XcodeElement) -> [DiagramElement] {
    var names: Set<String> = []
    return element.children(named: "element").compactMap { box in
      guard let name = box.text("name"), names.insert(name).inserted else { return nil }
      let numbers = ["positionX", "positionY", "width", "height"].map {
        box[$0].flatMap(\.diagramNumber) ?? 0
      }
      return DiagramElement(name: name, x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }
}
