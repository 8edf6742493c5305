/// The file of a mapping model under `Migrations/`.
let mappingFileShape = ValueShape.keys(
  KeyedShape(
    name: "a mapping model",
    keys: [
      key("from", .text, isRequired: true), key("to", .text, isRequired: true), key("inferred", .flag),
      key("entityMappings", .named(entityMappingShape)),
    ],
    choices: []))

private let entityMappingShape = ValueShape.keys(
  KeyedShape(
    name: "an entity mapping",
    keys: [
      key("source", .text), key("destination", .text),
      key("type", .words(["add", "remove", "copy", "transform", "custom"])), key("where", .text),
      key("policy", .text), key("attributes", .named(expressionShape, names: legalNameForm)),
      key("relationships", .named(expressionShape, names: legalNameForm)), key("drop", .flag),
      key("onDrop", .words(["nullify", "repoint", "cascade", "deny"])), key("userInfo", .named(.text)),
    ],
    choices: []))

/// A value expression is text; a plain number or Boolean is one too.
private let expressionShape = ValueShape.literal

private func key(_ name: String, _ shape: ValueShape, isRequired: Bool = false) -> KeyedShape.Key {
  KeyedShape.Key(name: name, isRequired: isRequired, shape: shape)
}
