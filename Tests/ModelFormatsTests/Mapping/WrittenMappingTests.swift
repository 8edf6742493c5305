import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@testable import ModelArchives
@testable import ModelFormats

@Suite("Xcode's mapping models, written", .needsFixtures) struct WrittenMappingTests {
  static let mappings = Fixtures.all(withExtension: "xcmappingmodel")
  /// Every third; with `MODELC_SEEDS` all.
  private static let some =
    Fixtures.areWhole ? mappings : stride(from: 0, to: mappings.count, by: 3).map { mappings[$0] }

  private func objects(of url: URL) throws -> (file: ManagedObjectFile, data: Data) {
    let data = try Data(contentsOf: url.appending(path: "xcmapping.xml"))
    return (try data.parseManagedObjects(file: "xcmapping.xml"), data)
  }

  @Test func `genuine files are written again byte by byte`() throws {
    for url in Self.mappings {
      let (file, data) = try objects(of: url)
      #expect(Data(file.text.utf8) == data, "\(url.lastPathComponent)")
    }
    #expect(Self.mappings.count == 19)
  }

  private static let packages = Fixtures.all(withExtension: "xcdatamodeld")

  /// The version that a mapping model names, in the package of that name that is nearest to it.
  private static func version(_ path: String, near mapping: URL) -> ModelVersion? {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count > 1 else { return nil }
    let named = packages.filter { $0.lastPathComponent == parts[parts.count - 2] }
    func shared(_ url: URL) -> Int { url.path.commonPrefix(with: mapping.path).count }
    guard let package = named.max(by: { shared($0) < shared($1) }) else { return nil }
    return readXcodeModelPackage(at: package).model?.versions
      .first { "\($0.name).xcdatamodel" == parts[parts.count - 1] }
  }

  /// What the writer makes of the objects of a genuine file, read and written anew.
  private func rewritten(_ url: URL) throws -> (genuine: ManagedObjectFile, ours: ManagedObjectFile)? {
    let imported = try readXcodeMappingModel(at: url)
    let (genuine, _) = try objects(of: url)
    let model = try #require(genuine.objects.first { $0.entity == "XDDEVMAPPINGMODEL" })
    let path = try #require(model["sourcemodelpath"])
    guard let source = Self.version(path, near: url),
      let destination = Self.version(try #require(model["destinationmodelpath"]), near: url)
    else { return nil }
    let packagePath = path.split(separator: "/").dropLast().joined(separator: "/")
    let (ours, found) = imported.mappingModel.xcodeMappingModel(
      from: source, to: destination, packagePath: packagePath)
    #expect(found == [], "\(url.lastPathComponent)")
    return (genuine, ours)
  }

  @Test func `what was read is written with the objects and attributes that Xcode gave it`() throws {
    var (compared, added) = (0, 0)
    for url in Self.some {
      guard let (genuine, ours) = try rewritten(url) else { continue }
      compared += 1
      let name = url.lastPathComponent
      let (left, right) = (shapes(of: genuine), shapes(of: ours))
      #expect(left.subtracting(right) == [], "\(name)")
      // People have removed properties from mappings; Xcode lists them all to begin with.
      added += right.subtracting(left).count
      let data = Data(ours.text.utf8)
      #expect(try data.parseManagedObjects(file: name).text == ours.text)
      try withTemporaryFolder { folder in
        let file = folder.appending(path: "xcmapping.xml")
        try data.write(to: file)
        let (again, before) = try (readXcodeMappingModel(at: file), readXcodeMappingModel(at: url))
        #expect(again.mappingModel == before.mappingModel, "\(name)")
        #expect(again.modelName == before.modelName && again.diagnostics == [])
      }
    }
    #expect(Fixtures.areWhole ? compared == 19 && added == 12 : compared > 4)
  }

  /// The objects that lead to a mapping that is listed, by what they are about: attributes with their types and texts, and
  /// where relationships lead. How a value is said, by an archive or by two fields of the editor, is the same.
  private func shapes(of file: ManagedObjectFile) -> Set<String> {
    let byID = Dictionary(file.objects.map { ($0.id, $0) }) { first, _ in first }
    let model = file.objects.first { $0.entity == "XDDEVMAPPINGMODEL" }
    let listed = Set(model?.targets("entitymappings") ?? []).filter {
      byID[$0]?["sourcename"] ?? byID[$0]?["destinationname"] != nil
    }
    func name(_ object: XMLManagedObject) -> String {
      let isEntity = object.entity == "XDDEVENTITYMAPPING"
      let names = (isEntity ? ["sourcename", "destinationname"] : ["name"]).compactMap { object[$0] }
      return "\(object.entity) \(names.joined(separator: " "))"
    }
    let said = ["valueexpressiondata", "sourcekeypath"]
    let kept = file.objects.filter { object in
      let owners = object.targets("entitymapping")
      return object.entity == "XDDEVMAPPINGMODEL" || listed.contains(object.id)
        || owners.contains(where: listed.contains)
    }
    return Set(
      kept.map { object in
        let values = object.attributes.filter { !$0.text.isEmpty }.compactMap { attribute -> String? in
          if said.contains(attribute.name) { return "value" }
          if attribute.name == "sourcemappingname" { return nil }
          if attribute.name == "name", object.entity == "XDDEVENTITYMAPPING" { return nil }
          let isOwn = attribute.name == "mappingnumber" || attribute.type == "binary"
          return "\(attribute.name) \(attribute.type) \(isOwn ? "" : attribute.text)"
        }
        let links = object.relationships.map { link in
          let owners = link.name.hasSuffix("mappings") ? [] : link.ids.compactMap { byID[$0] }.map(name)
          return "\(link.name) \(link.count) \(link.destination) \(owners.joined(separator: ","))"
        }
        return ([name(object)] + values.sorted() + links).joined(separator: "\n")
      })
  }

  /// The objects of a keyed archive as texts, whatever their order; what one refers to is named by its class and name.
  private func contents(of data: Data) throws -> [String] {
    let archive = try KeyedArchive(data)
    let constraints = "XDPMUniquenessConstraints"
    func label(_ value: ArchivedValue) -> String {
      guard let object = value.object else { return "\(value)" }
      if object.className == "NSMutableDictionary" {
        return
          "{\(object.entries.filter { $0.key != constraints }.map { "\($0.key): \(label($0.value))" }.sorted().joined(separator: ", "))}"
      }
      if object.className.hasSuffix("Array") {
        return "[\(object.elements.map(label).joined(separator: ", "))]"
      }
      return "\(object.className) \(object.string("_name") ?? "")"
    }
    var texts: [String] = []
    var place = 1
    while archive.node(at: place) != nil {
      let name = archive.value(at: place).object?.string("_name")
      // Xcode 5 had no constraints.
      if let object = archive.value(at: place).object, !object.className.hasPrefix("NS"), name != constraints
      {
        let fields = object.fields.keys.filter { $0 != "_uniqueElementID" && $0 != "$class" }.sorted()
        texts.append(
          object.className + "\n" + fields.map { "\($0) = \(label(object[$0]))" }.joined(separator: "\n"))
      }
      place += 1
    }
    return texts.sorted()
  }

  @Test func `snapshots of models hold what Xcode's own hold`() throws {
    var (equal, compared) = (0, 0)
    for url in Self.some {
      guard let (genuine, ours) = try rewritten(url) else { continue }
      let models = [genuine, ours].compactMap { $0.objects.first { $0.entity == "XDDEVMAPPINGMODEL" } }
      for key in ["sourcemodeldata", "destinationmodeldata"] {
        let trees = try models.map { model in
          try contents(
            of: try #require(Data(base64Encoded: model[key] ?? "", options: .ignoreUnknownCharacters)))
        }
        compared += 1
        if trees[0] == trees[1] { equal += 1; continue }
        let missing = Set(trees[0]).subtracting(trees[1]).compactMap { $0.firstMatch(of: #/_name = .*/#)?.0 }
        print("\(url.lastPathComponent) \(key):", Set(missing).sorted().prefix(12))
      }
    }
    print("snapshots: \(equal) of \(compared) equal")
    #expect(Fixtures.areWhole ? compared >= 30 && equal >= 25 : equal > 4)
  }
}
