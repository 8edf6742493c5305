import ManagedModel

/// The Notes model of acceptance case A1, whose hashes a real store (framework 832) printed.
func notesModel(categoryAttributes: [AttributeDescription] = []) -> ManagedObjectModel {
  ManagedObjectModel(entities: [
    EntityDescription(
      name: "Note",
      attributes: [
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "createdAt", type: .date),
        AttributeDescription(name: "updatedAt", type: .date),
        AttributeDescription(name: "contents", type: .string, isOptional: true),
      ],
      relationships: [
        RelationshipDescription(name: "category", destinationEntityName: "Category", inverseName: "notes"),
        RelationshipDescription(
          name: "tags", destinationEntityName: "Tag", inverseName: "notes", maxCount: 0),
      ]),
    EntityDescription(
      name: "Category", attributes: [AttributeDescription(name: "name", type: .string)] + categoryAttributes,
      relationships: [
        RelationshipDescription(
          name: "notes", destinationEntityName: "Note", inverseName: "category", maxCount: 0)
      ]),
    EntityDescription(
      name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "notes", destinationEntityName: "Note", inverseName: "tags", maxCount: 0)
      ]),
  ])
}
