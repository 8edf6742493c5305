import Foundation
import ManagedModel

/// Models that together have every shape of entity, attribute and relationship.
enum SampleModels {
  /// Inheritance, collisions, discriminators, ordered and unordered to-manys, self relationships, join tables.
  static let hiking = ManagedObjectModel(
    versionIdentifiers: ["1"],
    entities: [
      EntityDescription(
        name: "Place", isAbstract: true,
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "height", type: .double, isOptional: true),
        ],
        relationships: [
          RelationshipDescription(name: "region", destinationEntityName: "Region", inverseName: "places")
        ], uniquenessConstraints: [["name"]]),
      EntityDescription(
        name: "Hut", superentityName: "Place",
        attributes: [
          AttributeDescription(name: "beds", type: .integer16, defaultValue: "12"),
          AttributeDescription(name: "note", type: .string, isOptional: true),
          AttributeDescription(
            name: "visitCount", type: .integer64, isOptional: true, derivationExpression: "visits.@count"),
        ],
        relationships: [
          toMany("visits", "Visit", "hut", isOrdered: true), toMany("trails", "Trail", "huts"),
        ],
        fetchIndexes: [
          FetchIndexDescription(
            name: "byBeds",
            elements: [
              FetchIndexElement(property: "beds", isAscending: false), FetchIndexElement(property: "name"),
            ])
        ]),
      EntityDescription(
        name: "Summit", superentityName: "Place",
        attributes: [AttributeDescription(name: "note", type: .binary, isOptional: true)],
        relationships: [toMany("neighbours", "Summit", "neighbours")]),
      EntityDescription(
        name: "Region", attributes: [AttributeDescription(name: "code", type: .uuid, isOptional: true)],
        relationships: [toMany("places", "Place", "region")]),
      EntityDescription(
        name: "Trail",
        attributes: [
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "order", type: .integer32, isOptional: true),
        ],
        relationships: [
          toMany("huts", "Hut", "trails", isOrdered: true),
          toMany("leadsTo", "Trail", "comesFrom", isOrdered: true),
          toMany("comesFrom", "Trail", "leadsTo"), toMany("marks", "Mark", nil, isOrdered: true),
          RelationshipDescription(name: "highest", destinationEntityName: "Place"),
        ]),
      EntityDescription(
        name: "Mark", attributes: [AttributeDescription(name: "colour", type: .string, isOptional: true)]),
      EntityDescription(
        name: "Visit", attributes: [AttributeDescription(name: "date", type: .date)],
        relationships: [
          RelationshipDescription(name: "hut", destinationEntityName: "Hut", inverseName: "visits"),
          RelationshipDescription(
            name: "companion", destinationEntityName: "Visit", inverseName: "companion"),
          RelationshipDescription(name: "photo", destinationEntityName: "Photo", inverseName: "visit"),
        ]),
      EntityDescription(
        name: "Photo",
        attributes: [
          AttributeDescription(
            name: "data", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true)
        ],
        relationships: [
          RelationshipDescription(name: "visit", destinationEntityName: "Visit", inverseName: "photo")
        ]),
    ])

  /// One attribute of every type that has a column.
  static let everyType = ManagedObjectModel(
    versionIdentifiers: [""],
    entities: [
      EntityDescription(
        name: "Everything",
        attributes: [
          AttributeDescription(name: "aInteger16", type: .integer16, isOptional: true),
          AttributeDescription(name: "bInteger32", type: .integer32, isOptional: true),
          AttributeDescription(name: "cInteger64", type: .integer64, isOptional: true),
          AttributeDescription(name: "dBoolean", type: .boolean, isOptional: true),
          AttributeDescription(name: "eDecimal", type: .decimal, isOptional: true),
          AttributeDescription(name: "fDouble", type: .double, isOptional: true),
          AttributeDescription(name: "gFloat", type: .float, isOptional: true),
          AttributeDescription(name: "hString", type: .string, isOptional: true),
          AttributeDescription(name: "iDate", type: .date, isOptional: true),
          AttributeDescription(name: "jBinary", type: .binary, isOptional: true),
          AttributeDescription(name: "kUUID", type: .uuid, isOptional: true),
          AttributeDescription(name: "lURI", type: .uri, isOptional: true),
          AttributeDescription(name: "mTransformable", type: .transformable, isOptional: true),
          AttributeDescription(
            name: "nExternal", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true),
          AttributeDescription(name: "oTransient", type: .undefined, isOptional: true, isTransient: true),
        ])
    ])

  static func toMany(
    _ name: String, _ destination: String, _ inverse: String?, isOrdered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse, maxCount: 0, isOrdered: isOrdered)
  }
}
