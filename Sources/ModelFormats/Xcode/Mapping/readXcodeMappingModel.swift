package import Foundation
package import ManagedModel
import ModelArchives

/// Reads an `.xcmappingmodel`: the folder, or the `xcmapping.xml` in it.
///
/// Every entity mapping comes in, in Xcode's order, and every property mapping that says something of its own. Those
/// that Xcode fills in by itself (`$source` and the same name) are left out, because that is what their absence means.
///
/// - Throws: `DiagnosticsError` with MC0009 where nothing is there, MC0201, MC0202 and MC0204 where the file is no such
///   document, MC0205 where it holds no mapping model or an archive in it cannot be read.
package func readXcodeMappingModel(at url: URL) throws(DiagnosticsError) -> ImportedMapping {
  var url = url
  if isFolder(url) == true { url = url.appending(path: "xcmapping.xml") }
  let file = url.relativePath
  let contents = try readFile(url, shownAs: file)
  let reader = XcodeMappingReader(try contents.parseManagedObjects(file: file).objects, file: file)
  return try reader.mapping()
}

private struct XcodeMappingReader {
  private let objects: [XMLManagedObject]
  private let byID: [String: XMLManagedObject]
  private let file: String
  private let model: XMLManagedObject?
  /// What the snapshot of the version before has; nil if it cannot be read.
  private let entities: EntityHierarchy?

  init(_ objects: [XMLManagedObject], file: String) {
    self.objects = objects
    byID = Dictionary(firstOf: objects.map { ($0.id, $0) })
    self.file = file
    model = objects.first { $0.entity == "XDDEVMAPPINGMODEL" }
    entities = snapshot(model?["sourcemodeldata"]).map { EntityHierarchy($0) }
  }

  func mapping() throws(DiagnosticsError) -> ImportedMapping {
    guard let model, let source = versionName(model["sourcemodelpath"]),
      let destination = versionName(model["destinationmodelpath"])
    else {
      throw DiagnosticsError(
        .unreadableXcodeModel, "'\(file)' contains no mapping model with a source and a destination",
        place: SourceRange(startOf: file), help: ["open it in Xcode, choose both model versions and save it"])
    }
    var mapping = CustomMappingModel(
      sourceVersionName: source.version, destinationVersionName: destination.version, infersOthers: false)
    var names: Set<String> = []
    let listed = entityMappings(of: model)
    var findings = unknownParts() + leftovers(of: model)
    findings += Diagnostic.leftOut(
      file, listed.filter(isEmpty).map(name),
      ("has neither a source nor a destination", "have neither a source nor a destination"),
      help: "they have no effect; Xcode shows 'None' for both")
    for object in listed where !isEmpty(object) {
      var entityMapping = try entityMapping(object)
      entityMapping.name = uniqueName(entityMapping.name, &names)
      mapping.entityMappings.append(entityMapping)
    }
    mapping.snapshotHashes[source.version] = hashes(
      of: mapping.entityMappings.map(\.sourceEntityName), entities?.model)
    mapping.snapshotHashes[destination.version] = hashes(
      of: mapping.entityMappings.map(\.destinationEntityName), snapshot(model["destinationmodeldata"]))
    return ImportedMapping(modelName: destination.model, mappingModel: mapping, diagnostics: findings.ordered)
  }

  /// The version hashes that Xcode compiles into the app, of the entities that are mapped; none of a snapshot that cannot be
  /// read, and none of an entity with what no snapshot that we know holds.
  private func hashes(of names: [String?], _ snapshot: ManagedObjectModel?) -> [String: String] {
    let known = snapshot?.entityVersionHashesByName ?? [:]
    return Dictionary(
      firstOf: names.compactMap(\.self).compactMap { name in known[name].map { (name, $0.hexadecimal) } })
  }

  /// Xcode keeps a mapping whose two entities went: it is there and does nothing.
  private func isEmpty(_ object: XMLManagedObject) -> Bool {
    object["sourcename"] == nil && object["destinationname"] == nil
  }

  /// Those that the mapping model lists, in the order of their numbers.
  private func entityMappings(of model: XMLManagedObject) -> [XMLManagedObject] {
    model.targets("entitymappings").compactMap { byID[$0] }.sorted { $0.number < $1.number }
  }

  /// Xcode forgets to remove mappings that were deleted in its editor; it does not compile them either.
  private func leftovers(of model: XMLManagedObject) -> [Diagnostic] {
    let listed = Set(model.targets("entitymappings"))
    let left = objects.filter { $0.entity == "XDDEVENTITYMAPPING" && !listed.contains($0.id) }
    return Diagnostic.leftOut(
      file, left.map(name), ("belongs to no mapping model", "belong to no mapping model"),
      help: "Xcode keeps what was deleted in its editor, but does not compile it")
  }

  /// What no mapping model at hand says, so that nothing is lost in silence.
  private func unknownParts() -> [Diagnostic] {
    objects.flatMap { object -> [Diagnostic] in
      // A path alone is no lookup.
      let isHalf =
        object["sourcekeypath"]?.isEmpty == false && object["sourcemappingname"] == nil
        && object["valueexpressiondata"] == nil
      let unknown = object.attributes.map(\.name).filter { !Self.knownAttributes.contains($0) }
      return (unknown + (isHalf ? ["sourcekeypath"] : [])).sorted().map { name -> Diagnostic in
        let flaw = unknown.contains(name) ? "is unknown" : "has no 'sourcemappingname'"
        return Diagnostic(
          .unknownInXcodeModel, .warning, "'\(name.abridged)' of a mapping \(flaw) and was left out",
          place: object.place,
          notes: unknown.contains(name) ? [] : ["the property is migrated as if it had no path"],
          help: ["if you need it, write it into the mapping file by hand"])
      }
    }
  }

  /// All there are: the version hashes of their entities, which each genuine file has, are of exactly these.
  private static let knownAttributes: Set = [
    "name", "sourcename", "destinationname", "mappingtypename", "mappingnumber", "autogenerateexpression",
    "migrationpolicyclassname", "userinfodata", "sourcefilterpredicatestring", "sourceexpressiondata",
    "valueexpressiondata", "sourcekeypath", "sourcemappingname", "sourcemodelpath", "sourcemodeldata",
    "destinationmodelpath", "destinationmodeldata",
  ]

  private func name(of object: XMLManagedObject) -> String {
    object["name"]
      ?? CustomEntityMapping(
        name: "", sourceEntityName: object["sourcename"], destinationEntityName: object["destinationname"]
      ).nameInXcode
  }

  private func entityMapping(_ object: XMLManagedObject) throws(DiagnosticsError) -> CustomEntityMapping {
    var mapping = CustomEntityMapping(
      name: name(of: object), sourceEntityName: object["sourcename"],
      destinationEntityName: object["destinationname"],
      mappingType: object["mappingtypename"].flatMap(mappingType(named:)),
      filter: object["sourcefilterpredicatestring"].flatMap { $0 == "TRUEPREDICATE" ? nil : $0 },
      policyName: object["migrationpolicyclassname"])
    let source = mapping.sourceEntityName
    // What was written by hand counts whatever the flag says, as in relationships.
    if let text = object["sourceexpressiondata"] {
      mapping.filter = try unarchived(text, of: object, expression).filter(of: source) ?? mapping.filter
    }
    mapping.attributeMappings = try propertyMappings(object.targets("attributemappings"), of: source) {
      "$source.\($0)"
    }
    mapping.relationshipMappings = try propertyMappings(object.targets("relationshipmappings"), of: source) {
      $0.relationshipLookup()
    }
    if let text = object["userinfodata"] { mapping.userInfo = try unarchived(text, of: object, texts) }
    return mapping
  }

  /// By name; those that say nothing of their own are left out.
  ///
  /// - Parameters:
  ///   - entity: the source's.
  ///   - automatic: the expression that Xcode gives a property of that name by itself, if the source has one.
  private func propertyMappings(
    _ ids: [String], of entity: String?, _ automatic: (String) -> String
  ) throws(DiagnosticsError) -> [CustomPropertyMapping] {
    var mappings: [CustomPropertyMapping] = []
    for object in ids.compactMap({ byID[$0] }) {
      guard let name = object["name"] else { continue }
      var mapping = CustomPropertyMapping(name: name, expression: try expression(of: object))
      if let text = object["userinfodata"] { mapping.userInfo = try unarchived(text, of: object, texts) }
      if mapping.expression == nil, object["autogenerateexpression"] != "0" {
        // User info alone needs a mapping to stand at.
        guard !mapping.userInfo.isEmpty else { continue }
        mapping.expression = isInSource(name, of: entity) ? automatic(name) : nil
      }
      mappings.append(mapping)
    }
    return mappings.sorted { $0.name.precedesInCodePointOrder($1.name) }
  }

  /// What no snapshot denies counts as there.
  private func isInSource(_ property: String, of entity: String?) -> Bool {
    guard let entity else { return false }
    guard let entities else { return true }
    return entities.attribute(named: property, of: entity) != nil
      || entities.relationship(named: property, of: entity) != nil
  }

  /// An archived expression, or the two fields of Xcode's editor that it makes one from.
  private func expression(of object: XMLManagedObject) throws(DiagnosticsError) -> String? {
    if let text = object["valueexpressiondata"] {
      return try unarchived(text, of: object, expression).description
    }
    guard let path = object["sourcekeypath"], let mapping = object["sourcemappingname"] else { return nil }
    let source = (try? parseExpression(path).description) ?? path
    return "destinationInstances(\(Expression.constant(.string(mapping))), \(source))"
  }

  private func expression(_ root: ArchivedObject, _ budget: WorkBudget) throws(ArchiveFlaw) -> Expression {
    try ExpressionUnarchiver(budget).expression(.object(root)).withReadableLookups
  }

  private func texts(_ root: ArchivedObject, _: WorkBudget) -> [String: String] { root.texts }

  private func unarchived<Value>(
    _ base64: String, of object: XMLManagedObject,
    _ read: (ArchivedObject, WorkBudget) throws(ArchiveFlaw) -> Value
  ) throws(DiagnosticsError) -> Value {
    guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters), !data.isEmpty else {
      throw DiagnosticsError(.unreadablePart(object, "its data is not Base64"))
    }
    do throws(ArchiveFlaw) {
      let archive = try KeyedArchive(data)
      guard let root = archive.root else { throw ArchiveFlaw("it contains no object") }
      return try read(root, WorkBudget(archive.byteCount * 16 + 1_000_000))
    } catch {
      throw DiagnosticsError(.unreadablePart(object, error.reason))
    }
  }
}

/// The version that a mapping model keeps, in Base64.
private func snapshot(_ text: String?) -> ManagedObjectModel? {
  text.flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
    .flatMap { try? $0.unarchiveEditorModel() }
}

/// `Model/App.xcdatamodeld/App 2.xcdatamodel` → App, App 2. A package without versions is its own model.
private func versionName(_ path: String?) -> (model: String, version: String)? {
  guard let path, !path.isEmpty else { return nil }
  let parts = path.split(separator: "/").map(String.init)
  guard let last = parts.last, last.hasSuffix(".xcdatamodel") else { return nil }
  let version = String(last.dropLast(".xcdatamodel".count))
  guard version.isFileName else { return nil }
  guard let package = parts.dropLast().last, package.hasSuffix(".xcdatamodeld") else {
    return (version, version)
  }
  let model = String(package.dropLast(".xcdatamodeld".count))
  return model.isFileName ? (model, version) : nil
}

/// `Undefined`, which Xcode writes nearly always, says nothing.
private func mappingType(named name: String) -> MappingType? {
  MappingType.allCases.first { "\($0)" == name.lowercased() && $0 != .undefined }
}

extension XMLManagedObject { fileprivate var number: Int { self["mappingnumber"].flatMap(Int.init) ?? 0 } }

extension Diagnostic.Code {
  /// A mapping model of Xcode's holds entity mappings that it does not list.
  package static let mappingLeftovers = Self("MC4109")
}

extension Diagnostic {
  fileprivate static func unreadablePart(_ object: XMLManagedObject, _ reason: String) -> Diagnostic {
    let name = object["name"] ?? object["destinationname"] ?? object["sourcename"] ?? object.id
    return Diagnostic(
      .unreadableXcodeModel, .error, "the mapping of '\(name.abridged)' cannot be read: \(reason)",
      place: object.place, help: ["open the mapping model in Xcode, set the value again and save it"])
  }

  /// - Parameters:
  ///   - flaw: what is wrong with one, and with several.
  fileprivate static func leftOut(
    _ file: String, _ names: [String], _ flaw: (one: String, many: String), help: String
  ) -> [Diagnostic] {
    if names.isEmpty { return [] }
    let what =
      names.count == 1
      ? "1 entity mapping of '\(file)' \(flaw.one); it is left out"
      : "\(names.count) entity mappings of '\(file)' \(flaw.many); they are left out"
    return [
      Diagnostic(
        .mappingLeftovers, .information, what,
        notes: [Diagnostic.Note("\(names.prefix(20).joined(separator: ", "))")], help: [help])
    ]
  }
}
