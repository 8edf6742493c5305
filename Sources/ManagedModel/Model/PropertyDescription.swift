/// What attributes and relationships tell alike.
package protocol PropertyDescription {
  var name: String { get }
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
