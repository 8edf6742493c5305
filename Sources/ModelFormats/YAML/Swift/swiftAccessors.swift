package import ManagedModel

extension ModelVersion {
  /// Swift source with a type for each entity of a version, over the objects that policies get: `V5.Hut(object).beds`.
  ///
  /// A policy that names a property which the version does not have then does not compile. Values are typed as Core
  /// Data's generated classes have them: required numbers and Booleans are plain (zero and false if the object has
  /// none), everything else is optional; a to-many relationship is an array.
  ///
  /// The same version gives the same bytes.
  package func swiftAccessors() -> String {
    let hierarchy = EntityHierarchy(model)
    let namespace = swiftNamespace
    let entities = model.entities.map(\.name).sorted { $0.precedesInCodePointOrder($1) }
    let usesFoundation = model.entities.flatMap(\.attributes).contains { $0.type.traits.isFoundationType }
    // A name in a comment must not end it.
    let types = entities.map { SwiftEntity(name: $0, hierarchy: hierarchy, namespace: namespace).text }
    return """
      // Written by `modelc export \(name.visible.shellWord) --as swift`. Export it again instead of editing it.
      \(usesFoundation ? "public import Foundation\n" : "")public import ModelMigration

      /// The entities of version \(name.visible), with typed access to their objects.
      public enum \(namespace) {
      \(types.joined(separator: "\n"))}

      """
  }

  /// The name of the type that holds a version's entities: `Moody 5` is `Moody_5`.
  package var swiftNamespace: String { swiftName(name, isType: true) }
}

private struct SwiftEntity {
  let name: String
  let hierarchy: EntityHierarchy
  let namespace: String

  var text: String {
    let isAbstract = hierarchy.entity(named: name)?.isAbstract ?? false
    let type = swiftName(name, isType: true)
    var lines = [
      "  public struct \(type): Hashable {",
      "    public static let entityName = \(swiftLiteral(name))",
      "    public let object: MigratingObject", "",
      "    public init(_ object: MigratingObject) { self.object = object }", "",
    ]
    if !isAbstract {
      lines += [
        "    /// A new object with the model's default values.",
        "    public static func insert(into context: ManagedObjectContext) throws -> \(type) {",
        "      \(type)(try context.insert(entityName))", "    }", "",
      ]
    }
    lines += [
      "    /// All objects that satisfy a condition, whose values are `$name` in it.",
      "    public static func fetch(",
      "      from context: ManagedObjectContext, where format: String? = nil, _ variables: [String: Any] = [:]",
      "    ) throws -> [\(type)] {",
      "      try context.fetch(entityName, where: format, variables).map(\(type).init)", "    }",
    ]
    for attribute in hierarchy.attributes(of: name) { lines += [""] + property(attribute) }
    for relationship in hierarchy.relationships(of: name) { lines += [""] + property(relationship) }
    return (lines + ["  }", ""]).joined(separator: "\n")
  }

  private func property(_ attribute: AttributeDescription) -> [String] {
    let name = swiftName(attribute.name, isType: false)
    let key = swiftLiteral(attribute.name)
    guard let type = attribute.type.traits.swiftType else {
      // Composites and values of the app's own classes.
      return [
        "    public var \(name): Any? {", "      get { object.value(forKey: \(key)) }",
        "      nonmutating set { object.setValue(newValue, forKey: \(key)) }", "    }",
      ]
    }
    let absent = attribute.isOptional ? nil : attribute.type.traits.swiftZero
    return [
      "    public var \(name): \(type)\(absent == nil ? "?" : "") {",
      "      get { object[\(key)]\(absent.map { " ?? \($0)" } ?? "") }",
      "      nonmutating set { object[\(key)] = newValue }", "    }",
    ]
  }

  private func property(_ relationship: RelationshipDescription) -> [String] {
    let name = swiftName(relationship.name, isType: false)
    let key = swiftLiteral(relationship.name)
    // A property may have the name of an entity.
    let type =
      hierarchy.entity(named: relationship.destinationEntityName) == nil
      ? "MigratingObject" : "\(namespace).\(swiftName(relationship.destinationEntityName, isType: true))"
    let (isPlain, isToMany) = (type == "MigratingObject", relationship.isToMany)
    let typed = isPlain ? "" : ".map(\(type).init)"
    let untyped = isPlain ? "" : isToMany ? ".map(\\.object)" : "?.object"
    return [
      "    public var \(name): \(isToMany ? "[\(type)]" : "\(type)?") {",
      "      get { object.objects(forKey: \(key))\(isToMany ? "" : ".first")\(typed) }",
      "      nonmutating set { object.setValue(newValue\(untyped), forKey: \(key)) }",
      "    }",
    ]
  }
}

/// The name as an identifier of Swift.
private func swiftName(_ name: String, isType: Bool) -> String {
  // These mean something else even in backticks, or are members that every type here has.
  name.swiftIdentifier(
    taken: isType
      ? ["Type", "Protocol", "Self", "Any"] : ["object", "entityName", "init", "self", "hashValue", "hash"])
}
