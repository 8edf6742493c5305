/// One version of a model: the entities, and everything Core Data's model editor can say beside them.
///
/// A model is a plain value. It has no name and no position in an order of versions, because Core Data's
/// `NSManagedObjectModel` does not either: a version's name belongs to the folder or bundle that holds it. A model may
/// be invalid (a parent that does not exist, say); `checkModel` in ModelRules tells.
public struct ManagedObjectModel: Hashable, Sendable {
  /// Free text that Core Data writes to `NSStoreModelVersionIdentifiers`; informational, never hashed.
  public var versionIdentifiers: [String]
  /// The entities, in the order of their source.
  public var entities: [EntityDescription]
  /// Named groups of attributes that ``AttributeType/composite`` attributes use.
  public var composites: [CompositeDescription]
  /// Of Swift source: how values are coded, by the composite of their type, of a property's enum by `Entity.property`.
  package var codings: [String: ValueCoding] = [:]
  /// Of Swift source: properties whose default has a new UUID in it, or is the time, as `Entity.property` or
  /// `Entity.property.member`.
  package var freshIdentifiers: Set<String> = []
  /// Of Swift source: modules of which one may have the types of its properties that the source does not declare.
  package var foreignModules: Set<String> = []
  /// Named subsets of the entities; the default configuration, which holds all, is never listed.
  package var configurations: [ConfigurationDescription]
  /// Named fetch requests, `fetchRequestTemplatesByName` in Core Data.
  package var fetchRequestTemplates: [FetchRequestDescription]
  /// `Entity/<E>`, `Property/<p>/Entity/<E>`, `Property/<p>`, `ErrorString/<text>` → localized text.
  package var localizationDictionary: [String: String]
  /// What was removed on purpose, as `Entity` or `Entity.property`: losing that data is accepted.
  package var retired: [String]
  /// What only Xcode reads; kept so that a model goes back out as it came in.
  package var editorSettings: EditorSettings
  /// Which further rules the model shall keep; a fact of its source that no hash and no fingerprint sees.
  package var profile: ModelProfile?
  /// Entities of stores that the profile does not concern.
  package var sparedEntities: Set<String> = []

  package init(
    versionIdentifiers: [String] = [], entities: [EntityDescription] = [],
    composites: [CompositeDescription] = [], configurations: [ConfigurationDescription] = [],
    fetchRequestTemplates: [FetchRequestDescription] = [], localizationDictionary: [String: String] = [:],
    retired: [String] = [], editorSettings: EditorSettings = EditorSettings()
  ) {
    self.versionIdentifiers = versionIdentifiers
    self.entities = entities
    self.composites = composites
    self.configurations = configurations
    self.fetchRequestTemplates = fetchRequestTemplates
    self.localizationDictionary = localizationDictionary
    self.retired = retired
    self.editorSettings = editorSettings
  }
}

/// A use that a model is meant for and that has rules of its own. Raw values are the words of the model language.
package enum ModelProfile: String, Hashable, Sendable, CaseIterable {
  /// Mirrored by `NSPersistentCloudKitContainer`.
  case cloudKit = "cloudkit"
}

/// A named subset of a model's entities that one store may hold.
package struct ConfigurationDescription: Hashable, Sendable {
  package var name: String
  package var entityNames: [String]

  package init(name: String, entityNames: [String]) { (self.name, self.entityNames) = (name, entityNames) }
}

/// A named, reusable group of attributes (`NSCompositeAttributeDescription`, 2023).
public struct CompositeDescription: Hashable, Sendable {
  /// Unique among the model's composites.
  public var name: String
  /// The elements, which may themselves be composites.
  public var elements: [AttributeDescription]

  package init(name: String, elements: [AttributeDescription]) {
    (self.name, self.elements) = (name, elements)
  }
}
