import ManagedModel
import ModelMigration
import Testing

/// A way to migrate.
enum MigrationWay: String, CaseIterable, CustomTestStringConvertible {
  case inPlace, clone, custom, output

  var testDescription: String { rawValue }

  var route: RouteRequest {
    switch self {
    case .inPlace: .inPlace
    default: .auto
    }
  }
}

/// A step that every route can take: a note gets a rank.
enum NoteStep {
  static func model() -> VersionedModel {
    func version(_ more: [AttributeDescription]) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(name: "Note", attributes: [.init(name: "title", type: .string)] + more)
      ])
    }
    return versionedModel([version([]), version([.init(name: "rank", type: .integer16, defaultValue: "3")])])
  }

  static func custom(for model: VersionedModel) -> CustomMigrations {
    let mapping = CustomEntityMapping(
      name: "NoteToNote", sourceEntityName: "Note", destinationEntityName: "Note",
      attributeMappings: [.init(name: "title", expression: "uppercase:($source.title)")])
    let step = CustomMappingModel(
      sourceVersionName: model.versions[0].name, destinationVersionName: model.versions[1].name,
      entityMappings: [mapping])
    return CustomMigrations(mappingModels: [model.name: [step]])
  }
}
