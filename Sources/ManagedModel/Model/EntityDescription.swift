/// One entity of a model, as `NSEntityDescription` describes it: its own properties only, never the inherited ones.
///
/// `EntityHierarchy` knows what needs the whole model: ancestors, sub-entities, inherited properties.
public struct EntityDescription: Hashable, Sendable {
  /// Unique in the model.
  public var name: String
  /// The class of its objects; nil stands for `NSManagedObject`.
  public var managedObjectClassName: String?
  /// The module that Xcode generates the class in: nil for the global namespace.
  package var moduleName: String?
  package var codeGenerationType: CodeGenerationType?
  /// An abstract entity has no objects of its own. It still has a number and columns.
  public var isAbstract: Bool
  /// The parent entity's name; an entity without one has a table of its own.
  public var superentityName: String?
  /// The entity's own, without inherited ones, in the model's order.
  public var attributes: [AttributeDescription]
  /// The entity's own, without inherited ones, in the model's order.
  public var relationships: [RelationshipDescription]
  package var fetchedProperties: [FetchedPropertyDescription]
  /// Each a list of attribute and to-one names whose values together must be unique.
  public var uniquenessConstraints: [[String]]
  package var fetchIndexes: [FetchIndexDescription]
  /// Compound indexes of models from before Xcode 9, each a list of property names.
  package var compoundIndexes: [[String]]
  /// The name this entity had in the version before, when it was renamed; nil stands for ``name``.
  public var renamingIdentifier: String?
  /// Text that moves the version hash where nothing else would.
  public var versionHashModifier: String?
  /// The model's own notes.
  public var userInfo: [String: String]
  /// `coreSpotlightDisplayNameExpression`, printed.
  package var coreSpotlightDisplayName: String?

  package init(
    name: String, managedObjectClassName: String? = nil, moduleName: String? = nil,
    codeGenerationType: CodeGenerationType? = nil, isAbstract: Bool = false, superentityName: String? = nil,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    fetchedProperties: [FetchedPropertyDescription] = [], uniquenessConstraints: [[String]] = [],
    fetchIndexes: [FetchIndexDescription] = [], compoundIndexes: [[String]] = [],
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil, userInfo: [String: String] = [:],
    coreSpotlightDisplayName: String? = nil
  ) {
    self.name = name
    self.managedObjectClassName = managedObjectClassName
    self.moduleName = moduleName
    self.codeGenerationType = codeGenerationType
    self.isAbstract = isAbstract
    self.superentityName = superentityName
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedProperties = fetchedProperties
    self.uniquenessConstraints = uniquenessConstraints
    self.fetchIndexes = fetchIndexes
    self.compoundIndexes = compoundIndexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.coreSpotlightDisplayName = coreSpotlightDisplayName
  }

  /// Of attributes, then relationships, then fetched properties.
  package var ownPropertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }

  /// `Module.Class` as Xcode writes it; a dot stands for the app's own.
  package var qualifiedClassName: String? {
    guard let name = managedObjectClassName, let moduleName else { return managedObjectClassName }
    return moduleName == "." ? ".\(name)" : "\(moduleName).\(name)"
  }
}

/// Xcode's `codeGenerationType`; an entity without one is managed by hand.
package enum CodeGenerationType: String, Hashable, Sendable, CaseIterable { case `class`, category }
