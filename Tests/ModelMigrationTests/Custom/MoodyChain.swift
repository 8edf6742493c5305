import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

/// The genuine Moody: six versions, a store of each of the first five, four mapping models.
enum MoodyChain {
  static let folder = "objcio+core-data/Migrations"
  static let names = ["Moody", "Moody 2", "Moody 3", "Moody 4", "Moody 5", "Moody 6"]

  static func model() throws -> VersionedModel {
    let package = Fixtures.url("\(folder)/Migrations/Moody.xcdatamodeld")
    return try #require(readXcodeModelPackage(at: package).model)
  }

  static func custom() throws -> CustomMigrations {
    let mappings = try (2...5).map { number in
      let path = "\(folder)/Migrations/Moody \(number)-Moody \(number + 1).xcmappingmodel"
      return try readXcodeMappingModel(at: Fixtures.url(path)).mappingModel
    }
    return CustomMigrations(
      mappingModels: ["Moody": mappings], policies: PolicyRegistry([Country5ToCountry6Policy.self]))
  }

  static func store(_ version: Int, in folder: URL, as name: String? = nil) throws -> TestStore {
    let url = try Fixtures.copyStore(
      "\(Self.folder)/MigrationsTests/\(names[version - 1]).moody", into: folder)
    guard let name else { return TestStore(at: url) }
    return try TestStore(at: url).copy(named: name)
  }

  /// Every object with all its values and references, by remote ID or ISO code instead of primary keys.
  static func portrait(_ store: TestStore, version: Int) throws -> [String] {
    let model = try #require(try model().version(named: names[version - 1])).model
    let objects = try store.objects(model)
    let labels = Dictionary(objects.map { ($0.id, label($0)) }, uniquingKeysWith: { first, _ in first })
    return objects.map { object in
      let values = object.values.map { "\($0.key)=\($0.value)" }
      let ones = object.toOne.map { "\($0.key)->\(labels[$0.value] ?? "?")" }
      let many = object.toMany.map { key, ids in
        "\(key)->>\(ids.map { labels[$0] ?? "?" }.sorted().joined(separator: ","))"
      }
      return label(object) + ": " + (values + ones + many).sorted().joined(separator: "; ")
    }.sorted()
  }

  private static func label(_ object: ManagedObject) -> String {
    let key =
      object.values["remoteID"] ?? object.values["remoteIdentifier"] ?? object.values["numericISO3166Code"]
    return object.id.entityName + " " + (key.map { "\($0)" } ?? "?")
  }
}

/// A port of the book's policy: one Continent for each distinct `isoContinent`.
final class Country5ToCountry6Policy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let code = sInstance.isoContinent else { return }
    let countries = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let country = countries.first else { return }
    country.setContinent(try country.managedObjectContext.findOrCreateContinent(withISOCode: code))
  }
}

extension ManagedObjectContext {
  fileprivate func findOrCreateContinent(withISOCode code: Int) throws -> MigratingObject {
    let request = FetchRequest(entityName: "Continent")
    request.predicate = FetchPredicate(format: "%K == %d", "numericISO3166Code", code)
    if let continent = try fetch(request).first { return continent }
    let continent = EntityDescription.insertNewObject(forEntityName: "Continent", into: self)
    continent.setValue(code, forKey: "numericISO3166Code")
    return continent
  }
}

extension MigratingObject {
  fileprivate var isoContinent: Int? { self["isoContinent"] }
  fileprivate func setContinent(_ continent: MigratingObject) { setValue(continent, forKey: "continent") }
}
