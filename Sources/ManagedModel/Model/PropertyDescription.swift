/// Something with a name that may have had another name before.
package protocol Renamable {
  var name: String { get }
  var renamingIdentifier: String? { get }
}

extension Renamable {
  /// None, of something that keeps its identity by its name alone.
  package var renamingIdentifier: String? { nil }
  /// What makes it the same one across versions: its renaming identifier, else its name.
  package var canonicalName: String { renamingIdentifier ?? name }
}

/// What attributes and relationships tell alike.
package protocol PropertyDescription: Renamable {
  var isOptional: Bool { get set }
  var isTransient: Bool { get set }
  var isIndexed: Bool { get set }
  var isIndexedBySpotlight: Bool { get set }
  var isStoredInExternalRecord: Bool { get set }
  var renamingIdentifier: String? { get set }
  var versionHashModifier: String? { get set }
  var userInfo: [String: String] { get set }
}

extension AttributeDescription: PropertyDescription {}
extension RelationshipDescription: PropertyDescription {}
extension EntityDescription: Renamable {}
extension FetchedPropertyDescription: Renamable {}
extension FetchIndexDescription: Renamable {}
extension FetchRequestDescription: Renamable {}
extension CompositeDescription: Renamable {}
extension ConfigurationDescription: Renamable {}
