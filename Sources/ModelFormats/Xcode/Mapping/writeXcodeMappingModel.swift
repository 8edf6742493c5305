import Foundation
package import ManagedModel
import ModelArchives

extension CustomMappingModel {
  /// A mapping model as Xcode keeps it in `xcmapping.xml`: what ``readXcodeMappingModel(at:)`` reads, written.
  ///
  /// Every property of every destination entity has an object, as Xcode wants it. The same mapping gives the same bytes.
  ///
  /// - Parameters:
  ///   - packagePath: the model's package as the Xcode project knows it: from the project's folder.
  /// - Returns: the file, MC4210 for what mapping models of Xcode's cannot say, and MC4211 for versions that Xcode has to take
  ///   anew.
  package func xcodeMappingModel(from source: ModelVersion, to destination: ModelVersion, packagePath: String)
    -> (file: ManagedObjectFile, diagnostics: [Diagnostic])
  {
    var writer = XcodeMappingWriter(source, destination)
    writer.add(self, packagePath)
    let digest = ManagedObjectFile(head: "", objects: writer.objects).text
    return (
      ManagedObjectFile(
        head: storeHead(uuid: storeUUID(sha256(Data(digest.utf8))), lastID: writer.lastID),
        objects: writer.objects),
      writer.diagnostics
    )
  }
}

private struct XcodeMappingWriter {
  private(set) var objects: [XMLManagedObject] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// Genuine files begin with 102.
  private(set) var lastID = 101
  private let source: ModelVersion
  private let destination: ModelVersion
  private let sourceHierarchy: EntityHierarchy
  private let destinationHierarchy: EntityHierarchy

  init(_ source: ModelVersion, _ destination: ModelVersion) {
    (self.source, self.destination) = (source, destination)
    sourceHierarchy = EntityHierarchy(source.model)
    destinationHierarchy = EntityHierarchy(destination.model)
  }

  private mutating func nextID() -> String {
    lastID += 1
    return "z\(lastID)"
  }

  mutating func add(_ mapping: CustomMappingModel, _ packagePath: String) {
    // The model has the last ID, and everything leads to it.
    let properties = mapping.entityMappings.map(properties)
    let count = properties.reduce(properties.count) { $0 + $1.attributes.count + $1.relationships.count }
    let model = "z\(lastID + count + 1)"
    var ids: [String] = []
    for (index, entity) in mapping.entityMappings.enumerated() {
      ids.append(add(entity, number: index + 1, properties[index], model: model))
    }
    var object = XMLManagedObject(entity: "XDDEVMAPPINGMODEL", id: nextID())
    func path(_ version: ModelVersion) -> String { "\(packagePath)/\(version.name).xcdatamodel" }
    object.add("sourcemodelpath", path(source))
    object.add("sourcemodeldata", source.model.editorArchive())
    object.add("destinationmodelpath", path(destination))
    object.add("destinationmodeldata", destination.model.editorArchive())
    object.add("entitymappings", "0/0", "XDDEVENTITYMAPPING", ids)
    objects.append(object)
    for version in [source, destination] {
      let names = version.model.entities.flatMap { entity in
        entity.attributes.filter { $0.isDerived || $0.type == .composite }.map { "\(entity.name).\($0.name)" }
      }
      if names.isEmpty { continue }
      let count =
        names.count == 1
        ? "1 derived or composite attribute" : "\(names.count) derived or composite attributes"
      diagnostics.append(
        .staleSnapshot, .warning, "Xcode must take a new snapshot of '\(version.name)': it has \(count)",
        subject: ModelSubject(version: version.name),
        notes: [
          .init("\(names.prefix(10).joined(separator: ", ").abridged)"),
          "a mapping model keeps a snapshot of both versions, and how Xcode writes these into it is not known",
          "with the current snapshot Core Data would not find the mapping model for stores of the version",
        ],
        help: ["open the mapping model in Xcode and choose Editor > Refresh Data Models before you build"])
    }
  }

  private typealias Properties = (attributes: [CustomPropertyMapping], relationships: [CustomPropertyMapping])

  /// Those of the destination in the order of their names, and what is written of no property of it.
  private func properties(of mapping: CustomEntityMapping) -> Properties {
    guard let entity = mapping.destinationEntityName else { return ([], []) }
    func all(_ names: [String], _ written: [CustomPropertyMapping]) -> [CustomPropertyMapping] {
      let known = names.sorted { $0.precedesInCodePointOrder($1) }
      let listed = known.map { name in
        written.first { $0.name == name } ?? CustomPropertyMapping(name: name, expression: Self.automatic)
      }
      return listed + written.filter { !known.contains($0.name) && !$0.isMember }
    }
    let attributes = destinationHierarchy.attributes(of: entity).filter { !$0.isTransient && !$0.isDerived }
    let relationships = destinationHierarchy.relationships(of: entity).filter { !$0.isTransient }
    return (
      all(attributes.map(\.name), mapping.attributeMappings),
      all(relationships.map(\.name), mapping.relationshipMappings)
    )
  }

  /// Stands for what Xcode fills in by itself.
  private static let automatic = ""

  private mutating func add(
    _ mapping: CustomEntityMapping, number: Int, _ properties: Properties, model: String
  ) -> String {
    let place = mapping.destinationEntityName ?? mapping.sourceEntityName ?? mapping.name
    var left: [String] = []
    let entity = "z\(lastID + properties.attributes.count + properties.relationships.count + 1)"
    var (attributes, relationships): ([String], [String]) = ([], [])
    for property in properties.attributes {
      attributes.append(addAttribute(property, of: mapping, entity, &left))
    }
    for property in properties.relationships {
      relationships.append(addRelationship(property, of: mapping, entity, &left))
    }
    var object = XMLManagedObject(entity: "XDDEVENTITYMAPPING", id: nextID())
    if !mapping.userInfo.isEmpty { object.add("userinfodata", mapping.userInfo.keyedArchive()) }
    object.add("sourcefilterpredicatestring", filter(of: mapping, &left))
    object.add("migrationpolicyclassname", mapping.policyName)
    object.add("sourcename", mapping.sourceEntityName)
    object.add("name", mapping.name == mapping.nameInXcode ? nil : mapping.name)
    let type = mapping.mappingType.map { "\($0)" } ?? "undefined"
    object.add("mappingtypename", type.prefix(1).uppercased() + type.dropFirst())
    object.add("mappingnumber", "\(number)", type: "int16")
    object.add("destinationname", mapping.destinationEntityName)
    object.add("autogenerateexpression", "1", type: "bool")
    object.add("mappingmodel", "1/1", "XDDEVMAPPINGMODEL", [model])
    object.add("attributemappings", "0/0", "XDDEVATTRIBUTEMAPPING", attributes)
    object.add("relationshipmappings", "0/0", "XDDEVRELATIONSHIPMAPPING", relationships)
    objects.append(object)
    let members = mapping.attributeMappings.filter { $0.isMember && $0.expression != "$source.\($0.name)" }
    left += members.map { "\($0.name): a composite's member" }
    if !mapping.groupBy.isEmpty || mapping.keep != nil { left.append("groupBy: several objects become one") }
    if let rule = mapping.onDrop, rule != .nullify { left.append("onDrop: \(rule.rawValue)") }
    if left.isEmpty { return object.id }
    let count = left.count == 1 ? "1 part" : "\(left.count) parts"
    diagnostics.append(
      .beyondXcodeMapping, .warning,
      "Xcode's mapping models cannot express \(count) of the mapping '\(mapping.name.abridged)': left out",
      subject: ModelSubject(version: destination.name, entity: place),
      notes: left.prefix(20).map { Diagnostic.Note("\($0.abridged)") }
        + ["Core Data would give those properties the values of properties with the same name, or no values"],
      help: [
        "compute them in an entity migration policy in the app, or use Core Data's own functions",
        "or let modelc migrate the stores: `migratedBy: modelc` in a modelc.yaml next to the package",
      ])
    return object.id
  }

  /// Empty if there is nothing to be left out.
  private func filter(of mapping: CustomEntityMapping, _ left: inout [String]) -> String? {
    guard let text = mapping.filter, let predicate = try? parsePredicate(text) else { return mapping.filter }
    let functions = predicate.comparisons.flatMap {
      $0.left.functionsOfModelc + $0.right.functionsOfModelc
    }.unique
    if functions.isEmpty { return text }
    left.append("where: \(functions.joined(separator: ", ")) is not a function of Core Data")
    return nil
  }

  private mutating func addAttribute(
    _ property: CustomPropertyMapping, of mapping: CustomEntityMapping, _ entity: String,
    _ left: inout [String]
  ) -> String {
    var object = XMLManagedObject(entity: "XDDEVATTRIBUTEMAPPING", id: nextID())
    let own = mapping.sourceEntityName.flatMap { sourceHierarchy.attribute(named: property.name, of: $0) }
    switch property.expression {
    case Self.automatic?: break
    case "$source.\(property.name)"? where own != nil: break
    case let text?:
      if let expression = expression(text, property.name, &left) {
        object.add("valueexpressiondata", expression.keyedArchive())
      }
    case nil where own == nil: break
    case nil:
      // Xcode copies what has the same name, unless something else is said.
      let attribute = mapping.destinationEntityName.flatMap {
        destinationHierarchy.attribute(named: property.name, of: $0)
      }
      if let start = startExpression(of: attribute) {
        object.add("valueexpressiondata", start.keyedArchive())
      } else {
        left.append("\(property.name): its default has no literal")
      }
    }
    return end(&object, property, entity)
  }

  private func startExpression(of attribute: AttributeDescription?) -> Expression? {
    guard let value = attribute?.typedDefaultValue else { return .constant(.null) }
    switch value {
    case .integer(let number): return .constant(.integer(number))
    case .boolean(let flag): return .constant(.boolean(flag))
    case .string(let text): return .constant(.string(text))
    case .double, .decimal:
      return Int64(value.text).map { .constant(.integer($0)) }
        ?? DecimalText(value.text).map { .constant(.decimal($0)) }
    case .date(let seconds):
      return DecimalText("\(seconds)").map { .cast(.constant(.decimal($0)), to: .date) }
    default: return nil
    }
  }

  private mutating func addRelationship(
    _ property: CustomPropertyMapping, of mapping: CustomEntityMapping, _ entity: String,
    _ left: inout [String]
  ) -> String {
    var object = XMLManagedObject(entity: "XDDEVRELATIONSHIPMAPPING", id: nextID())
    let own = mapping.sourceEntityName.flatMap { sourceHierarchy.relationship(named: property.name, of: $0) }
    let automatic = property.name.relationshipLookup()
    var isAutomatic = true
    switch property.expression {
    case Self.automatic?: break
    case nil: isAutomatic = own == nil
    case let text? where text == automatic && own != nil: break
    case let text?:
      guard let expression = expression(text, property.name, &left) else { break }
      if case .function(let call) = expression, call.receiver == .variable("manager"),
        call.selector == lookupSelector, call.arguments.count == 2,
        case .constant(.string(let name)) = call.arguments[0]
      {
        object.add("sourcemappingname", name)
        object.add("sourcekeypath", "\(call.arguments[1])")
      } else {
        object.add("valueexpressiondata", expression.keyedArchive())
      }
    }
    object.add("autogenerateexpression", isAutomatic ? "1" : "0", type: "bool")
    return end(&object, property, entity)
  }

  private mutating func end(
    _ object: inout XMLManagedObject, _ property: CustomPropertyMapping, _ entity: String
  ) -> String {
    if !property.userInfo.isEmpty { object.add("userinfodata", property.userInfo.keyedArchive()) }
    object.add("name", property.name)
    object.add("entitymapping", "1/1", "XDDEVENTITYMAPPING", [entity])
    objects.append(object)
    return object.id
  }

  /// As Core Data has it; nil if it has no such thing, or the text is not an expression.
  private func expression(_ text: String, _ property: String, _ left: inout [String]) -> Expression? {
    guard let expression = try? parseExpression(text).coreDataForm() else {
      left.append("\(property): \(text.abridged)")
      return nil
    }
    let functions = expression.functionsOfModelc
    guard functions.isEmpty else {
      left.append("\(property): \(functions.joined(separator: ", ")) is not a function of Core Data")
      return nil
    }
    return expression
  }
}

extension CustomEntityMapping {
  /// Xcode's own rule for a mapping without a name, which compiled mapping models show.
  var nameInXcode: String {
    guard let sourceEntityName, let destinationEntityName else {
      return sourceEntityName ?? destinationEntityName ?? "Mapping"
    }
    return "\(sourceEntityName)To\(destinationEntityName)"
  }
}

extension CustomPropertyMapping {
  /// Whether it is about a member of a composite, of which Xcode's mapping models know nothing.
  fileprivate var isMember: Bool { name.contains(".") }
}

extension XMLManagedObject {
  fileprivate mutating func add(_ name: String, _ text: (some StringProtocol)?, type: String = "string") {
    if let text { attributes.append(.init(name: name, type: type, text: String(text))) }
  }

  fileprivate mutating func add(_ name: String, _ data: Data) {
    let text = data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    attributes.append(.init(name: name, type: "binary", text: text + "\n"))
  }

  fileprivate mutating func add(_ name: String, _ count: String, _ destination: String, _ ids: [String]) {
    relationships.append(.init(name: name, count: count, destination: destination, ids: ids))
  }
}

private func storeUUID(_ digest: String) -> String {
  let digits = Array(digest.uppercased())
  func part(_ range: Range<Int>) -> String { String(digits[range.clamped(to: digits.indices)]) }
  // Version 8, "custom", whose other digits may be anything.
  return "\(part(0..<8))-\(part(8..<12))-8\(part(13..<16))-8\(part(17..<20))-\(part(20..<32))"
}

/// What Xcode 11 writes. The hashes are those of the entities of Xcode's own model of mapping models.
private func storeHead(uuid: String, lastID: Int) -> String {
  func data(_ entity: String, _ hash: String) -> String {
    "                        <key>\(entity)</key>\n                        <data>\n\t\t\(hash)\n\t\t</data>\n"
  }
  return """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>\(uuid)</UUID>
            <nextObjectID>\(lastID)</nextObjectID>
            <metadata>
                <plist version="1.0">
                    <dict>
                        <key>NSPersistenceFrameworkVersion</key>
                        <integer>1251</integer>
                        <key>NSStoreModelVersionHashes</key>
                        <dict>

    """ + data("XDDevAttributeMapping", "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc=")
      + data("XDDevEntityMapping", "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI=")
      + data("XDDevMappingModel", "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ=")
      + data("XDDevPropertyMapping", "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA=")
      + data("XDDevRelationshipMapping", "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs=") + """
                            </dict>
                            <key>NSStoreModelVersionHashesDigest</key>
                            <string>+Hmc2uYZK6og+Pvx5GUJ7oW75UG4V/ksQanTjfTKUnxyGWJRMtB5tIRgVwGsrd7lz/QR57++wbvWsr6nxwyS0A==</string>
                            <key>NSStoreModelVersionHashesVersion</key>
                            <integer>3</integer>
                            <key>NSStoreModelVersionIdentifiers</key>
                            <array>
                                <string></string>
                            </array>
                        </dict>
                    </plist>
                </metadata>
            </databaseInfo>

        """
}

extension Diagnostic.Code {
  /// A part of a mapping that a mapping model of Xcode's cannot say.
  package static let beyondXcodeMapping = Self("MC4210")
}
