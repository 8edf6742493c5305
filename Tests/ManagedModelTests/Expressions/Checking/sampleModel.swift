import ManagedModel

/// Cities with mayors and residents: every kind of property that a predicate can meet.
let sampleModel = ManagedObjectModel(
  entities: [
    EntityDescription(
      name: "City",
      attributes: [
        AttributeDescription(name: "name", type: .string),
        AttributeDescription(name: "area", type: .double),
        AttributeDescription(name: "founded", type: .date, isOptional: true),
        AttributeDescription(name: "isCapital", type: .boolean),
        AttributeDescription(name: "code", type: .uuid),
        AttributeDescription(name: "palette", type: .transformable, isOptional: true),
        AttributeDescription(name: "label", type: .string, isOptional: true, isTransient: true),
        AttributeDescription(
          name: "photo", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true),
        AttributeDescription(
          name: "position", type: .composite, isOptional: true, compositeName: "Coordinate"),
        AttributeDescription(
          name: "residentCount", type: .integer64, isOptional: true, derivationExpression: "residents.@count"),
      ],
      relationships: [
        RelationshipDescription(name: "mayor", destinationEntityName: "Person"),
        RelationshipDescription(
          name: "country", destinationEntityName: "Country", inverseName: "cities", isOptional: false),
        RelationshipDescription(
          name: "residents", destinationEntityName: "Person", inverseName: "home", maxCount: 0),
        RelationshipDescription(
          name: "guests", destinationEntityName: "Person", isTransient: true, maxCount: 0),
      ],
      fetchedProperties: [
        FetchedPropertyDescription(
          name: "adults", fetchRequest: FetchRequestDescription(name: "adults", entityName: "Person"))
      ]),
    EntityDescription(
      name: "Port", superentityName: "City", attributes: [AttributeDescription(name: "depth", type: .float)]),
    EntityDescription(
      name: "Person",
      attributes: [
        AttributeDescription(name: "name", type: .string, isOptional: true),
        AttributeDescription(name: "age", type: .integer16),
        AttributeDescription(name: "carsOwnedCount", type: .integer16, isOptional: true),
      ],
      relationships: [
        RelationshipDescription(name: "home", destinationEntityName: "City", inverseName: "residents"),
        RelationshipDescription(name: "friends", destinationEntityName: "Person", maxCount: 0),
      ]),
    EntityDescription(
      name: "Country", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "cities", destinationEntityName: "City", inverseName: "country", maxCount: 0)
      ]),
  ],
  composites: [
    CompositeDescription(
      name: "Coordinate",
      elements: [
        AttributeDescription(name: "latitude", type: .double),
        AttributeDescription(name: "longitude", type: .double),
      ])
  ])
