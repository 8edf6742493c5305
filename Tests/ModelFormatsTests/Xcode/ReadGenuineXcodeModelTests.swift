import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite(.needsFixtures)
struct ReadGenuineXcodeModelTests {
  static let packages = Fixtures.all(withExtension: "xcdatamodeld")
  static let models = Fixtures.all(withExtension: "xcdatamodel")

  @Test(arguments: models)
  func `every genuine model reads without a finding`(_ url: URL) throws {
    let (package, diagnostics) = readXcodeModelPackage(at: url)
    #expect(diagnostics.isEmpty)
    let version = try #require(package?.versions.first)
    #expect(package?.versions.count == 1)
    #expect(version.name == url.deletingPathExtension().lastPathComponent)
    let contents = try String(contentsOf: url.appending(path: "contents"), encoding: .utf8)
    #expect(version.model.entities.count == contents.components(separatedBy: "<entity ").count - 1)
    let properties = version.model.entities.map {
      $0.attributes.count + $0.relationships.count + $0.fetchedProperties.count
    }
    let tags = ["<attribute ", "<relationship ", "<fetchedProperty "].map {
      contents.components(separatedBy: $0).count - 1
    }
    let elements = version.model.composites.map(\.elements.count).reduce(0, +)
    #expect(properties.reduce(0, +) + elements == tags.reduce(0, +))
  }

  @Test(arguments: packages)
  func `every genuine package has all its versions, and its current one among them`(_ url: URL) throws {
    let (package, diagnostics) = readXcodeModelPackage(at: url)
    #expect(diagnostics.isEmpty)
    let model = try #require(package)
    #expect(model.currentVersion != nil)
    let folders = try FileManager.default.contentsOfDirectory(atPath: url.path).filter {
      $0.hasSuffix(".xcdatamodel")
    }
    #expect(Set(model.versions.map { $0.name + ".xcdatamodel" }) == Set(folders))
  }

  @Test(arguments: [
    (
      "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld",
      ["Moody", "Moody 2", "Moody 3", "Moody 4", "Moody 5", "Moody 6"], "Moody 6"
    ),
    (
      "drewmccormack+ensembles/Framework/Resources/CDEEventStoreModel.xcdatamodeld",
      ["CDEEventStoreModel_0", "CDEEventStoreModel_1", "CDEEventStoreModel_2"], nil
    ),
    (
      "objcio+issue-4-core-data-migration/BookMigration/Model.xcdatamodeld", ["Model1", "Model2", "Model3"],
      "Model3"
    ),
  ])
  func `versions are in natural order`(_ path: String, _ versions: [String], _ current: String?) throws {
    let model = try #require(readXcodeModelPackage(at: Fixtures.url(path)).model)
    #expect(model.versions.map(\.name) == versions)
    if let current { #expect(model.currentVersionName == current) }
  }

  @Test func `validation rules, dates and flags of a genuine model`() throws {
    let found = Self.models.compactMap { readXcodeModelPackage(at: $0).model?.versions.first?.model }
    let attributes = found.flatMap(\.entities).flatMap(\.attributes)
    let date = try #require(attributes.first { $0.name == "dateAttribute" && $0.validation.minimum != nil })
    #expect(date.validation.minimum == "2013-12-04T11:00:00Z")
    #expect(date.validation.maximum == "2014-12-05T11:00:00Z")
    let pin = try #require(attributes.first { $0.name == "pin" && $0.validation.regularExpression != nil })
    #expect(pin.validation.regularExpression == "^[abcdefghijklmnorstuvwxyz]*$")
    #expect(attributes.contains { $0.preservesValueInHistoryOnDeletion })
    #expect(attributes.contains { $0.isStoredInExternalRecord })
    #expect(attributes.filter(\.allowsExternalBinaryDataStorage).count == 2)
  }

  @Test func `module and class are told apart`() throws {
    let url = Fixtures.url("LoopKit+LoopKit/LoopKit/Persistence/Model.xcdatamodeld")
    let model = try #require(readXcodeModelPackage(at: url).model)
    let entities = model.versions.flatMap(\.model.entities)
    #expect(entities.contains { $0.moduleName == "LoopKit" && $0.managedObjectClassName == "CgmEvent" })
    #expect(entities.contains { $0.moduleName == "." && $0.managedObjectClassName == "DeletedCarbObject" })
  }

  @Test func `the source map knows where parts and their keys stand`() throws {
    let url = Fixtures.url("alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld")
    let version = try #require(readXcodeModelPackage(at: url).model?.version(named: "SampleModel3"))
    let map = try #require(version.sourceMap)
    let lines = try String(contentsOf: URL(filePath: map.file), encoding: .utf8).components(separatedBy: "\n")
    func text(_ subject: ModelSubject) throws -> String {
      let range = try #require(map[subject])
      let line = Array(lines[range.start.line - 1])
      let end = range.end.line == range.start.line ? range.end.column - 1 : line.count
      return String(line[(range.start.column - 1)..<end])
    }
    #expect(try text(ModelSubject(entity: "LuxuryCar")).hasPrefix("<entity name=\"LuxuryCar\""))
    #expect(
      try text(ModelSubject(entity: "LuxuryCar", key: "renamingIdentifier"))
        == "elementID=\"ExpensiveSportCar\"")
    #expect(
      try text(ModelSubject(entity: "Car", property: "owner")).hasPrefix("<relationship name=\"owner\""))
    #expect(try text(ModelSubject(entity: "Car", property: "owner", key: "inverse")).contains("inverse"))
    for entity in version.model.entities { _ = try text(ModelSubject(entity: entity.name)) }
  }
}
