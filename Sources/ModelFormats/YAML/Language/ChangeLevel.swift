/// What a mapping of a version file is, as far as a version that extends another one needs to know.
///
/// A mapping of the change goes into the mapping that it stands for, key by key; anything else is replaced whole.
indirect enum ChangeLevel: Hashable, Sendable {
  case model, entity, attribute, relationship, fetchRequest, fetchedProperty, fetchIndex, objectClass,
    settings
  /// Names that the file gives, each with what it names.
  case names(ChangeLevel)
  /// Replaced whole, whatever it is.
  case value

  func below(_ key: String) -> ChangeLevel {
    switch self {
    case .names(let element): element
    case .model: Self.ofModel[key] ?? .value
    case .entity: Self.ofEntity[key] ?? .value
    case .attribute, .relationship, .fetchRequest, .fetchedProperty:
      key == "userInfo" ? .names(.value) : .value
    case .fetchIndex, .objectClass, .settings, .value: .value
    }
  }

  private static let ofModel: [String: ChangeLevel] = [
    "entities": .names(.entity), "composites": .names(.names(.attribute)), "configurations": .names(.value),
    "fetchRequests": .names(.fetchRequest), "localization": .names(.value), "editor": .settings,
  ]

  private static let ofEntity: [String: ChangeLevel] = [
    "attributes": .names(.attribute), "relationships": .names(.relationship),
    "fetchedProperties": .names(.fetchedProperty), "fetchIndexes": .names(.fetchIndex),
    "userInfo": .names(.value), "class": .objectClass,
  ]

  /// Whether the keys are names that the file gives.
  var isNames: Bool { if case .names = self { true } else { false } }

  /// Whether the keys are words of the language, so that `remove` is one of them.
  var hasKeys: Bool { self != .value && !isNames }

  /// Whether a change may restate some of the keys as they are, as long as it changes any.
  var mayRepeatKeys: Bool { hasKeys && self != .model && self != .entity }

  /// The keys whose names `remove` finds without their mention: `Hut`, `Hut.fax`.
  var sections: [String] {
    switch self {
    case .model: ["entities"]
    case .entity: ["attributes", "relationships", "fetchedProperties", "fetchIndexes"]
    default: []
    }
  }

  /// What a name of such a thing names, for messages.
  var noun: String {
    switch self {
    case .model: "model"
    case .entity: "entity"
    case .attribute: "attribute"
    case .relationship: "relationship"
    case .fetchRequest: "fetch request"
    case .fetchedProperty: "fetched property"
    case .fetchIndex: "index"
    case .objectClass, .settings, .names, .value: "key"
    }
  }

  /// Each of these keys alone says that all of a thing is stated; without any, it is a change of what is there.
  private var statingKeys: [String]? {
    switch self {
    case .attribute: ["type"]
    case .relationship: ["to", "toMany"]
    case .fetchRequest, .fetchedProperty: ["entity"]
    case .fetchIndex: ["elements"]
    default: nil
    }
  }

  /// What a new thing has to state, for messages.
  var statement: String {
    statingKeys.map { "its " + $0.map { "'\($0)'" }.joined(separator: " or ") } ?? "all of it"
  }

  /// The part of a mapping that can only be a change of something else; nil if all of it can be new.
  func change(in node: YAMLNode, named name: YAMLNode.Pair) -> YAMLNode.Pair? {
    guard case .mapping(let pairs) = node.content else { return nil }
    if let keys = statingKeys { return pairs.contains { keys.contains($0.key) } ? nil : name }
    guard self == .entity else { return nil }
    if let removal = node.pair("remove") { return removal }
    for section in pairs where sections.contains(section.key) {
      guard case .mapping(let named) = section.value.content else { continue }
      for pair in named {
        if let part = below(section.key).below(pair.key).change(in: pair.value, named: pair) { return part }
      }
    }
    return nil
  }
}
