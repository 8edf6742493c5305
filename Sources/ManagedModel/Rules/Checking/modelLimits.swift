/// What a model may have at most. No app's model comes near; whoever sends one that does wants to cost us time or
/// memory, and is told so before it does.
enum ModelLimits {
  static let entities = 10_000
  /// SQLite's default `SQLITE_MAX_COLUMN`: the table of such an entity could not be made.
  static let propertiesPerEntity = 2_000
  static let properties = 100_000
  /// Elements that a composite has when those of nested composites are counted.
  static let compositeElements = 2_000
  /// Entities in one another, from a root down.
  static let inheritance = 2_000
  static let fetchRequests = 5_000
  /// In bytes of UTF-8. SQL statements hold names, and a statement has at most a million bytes.
  static let name = 10_000
}

extension ManagedObjectModel {
  /// Why a model is too large to be looked at further (MC0007); nothing where it is not.
  package func checkLimits() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    func limit(
      _ count: Int, _ most: Int, _ what: @autoclosure () -> String,
      _ subject: @autoclosure () -> ModelSubject?
    ) {
      if count > most {
        findings.append(.yamlLimit, .error, "\(what()); at most \(most) are read", subject: subject())
      }
    }
    limit(self.entities.count, ModelLimits.entities, "the model has \(self.entities.count) entities", nil)
    limit(
      fetchRequestTemplates.count, ModelLimits.fetchRequests,
      "the model has \(fetchRequestTemplates.count) fetch requests", ModelSubject(key: "fetchRequests"))
    var all = 0
    // By their places: a copy of a description costs more than looking at it.
    let entities = self.entities
    for index in entities.indices {
      let count = entities[index].propertyCount
      all += count
      limit(
        count, ModelLimits.propertiesPerEntity, "'\(entities[index].name.abridged)' has \(count) properties",
        ModelSubject(entity: entities[index].name))
      if let name = entities[index].longName, findings.count < FindingLimits.errors {
        limit(
          name.utf8.count, ModelLimits.name, "the name '\(name.abridged)' has \(name.utf8.count) bytes",
          ModelSubject(entity: entities[index].name))
      }
    }
    limit(all, ModelLimits.properties, "the model has \(all) properties", nil)
    let widths = compositeWidths(of: self)
    for composite in composites.prefix(ModelLimits.entities) {
      let width = widths[composite.name] ?? 0
      limit(
        width, ModelLimits.compositeElements,
        "composite '\(composite.name.abridged)' has \(width) elements or more",
        ModelSubject(key: "composites").part(composite.name))
    }
    if findings.isEmpty, let deepest = deepestEntity(of: self) {
      limit(
        deepest.depth, ModelLimits.inheritance,
        "'\(deepest.name.abridged)' has \(deepest.depth) ancestors", ModelSubject(entity: deepest.name))
    }
    return findings
  }
}

/// How many elements each composite has, nested ones counted, up to somewhat above the limit; a composite within
/// itself counts as one.
private func compositeWidths(of model: ManagedObjectModel) -> [String: Int] {
  let composites = Dictionary(model.composites.map { ($0.name, $0) }) { first, _ in first }
  var widths: [String: Int] = [:]
  func count(_ name: String, depth: Int) -> Int {
    if let known = widths[name] { return known }
    guard let composite = composites[name], depth < 100 else { return 1 }
    // Cuts cycles.
    widths[name] = 1
    var width = 0
    for element in composite.elements where width <= ModelLimits.compositeElements {
      width += element.compositeName.map { count($0, depth: depth + 1) } ?? 1
    }
    widths[name] = min(width, ModelLimits.compositeElements + 1)
    return width
  }
  for composite in model.composites { _ = count(composite.name, depth: 0) }
  return widths
}

/// The first entity that stands deeper than the limit. A cycle of parents ends where it began.
private func deepestEntity(of model: ManagedObjectModel) -> (name: String, depth: Int)? {
  guard model.entities.contains(where: { $0.superentityName != nil }) else { return nil }
  let parents = Dictionary(model.entities.map { ($0.name, $0.superentityName) }) { first, _ in first }
  for entity in model.entities where entity.superentityName != nil {
    var (depth, next) = (0, entity.superentityName)
    while let name = next, name != entity.name, depth <= ModelLimits.inheritance, let parent = parents[name] {
      depth += 1
      next = parent
    }
    // A cycle further up is another check's finding.
    if depth > ModelLimits.inheritance, !leadsIntoCycle(entity.name, parents) { return (entity.name, depth) }
  }
  return nil
}

private func leadsIntoCycle(_ name: String, _ parents: [String: String?]) -> Bool {
  var seen: Set<String> = []
  var next: String? = name
  while let name = next, seen.count <= ModelLimits.entities {
    guard seen.insert(name).inserted else { return true }
    next = parents[name] ?? nil
  }
  return false
}

extension EntityDescription {
  /// The first of its own names that no statement could hold.
  fileprivate var longName: String? {
    func isLong(_ name: String) -> Bool { name.utf8.count > ModelLimits.name }
    if isLong(name) { return name }
    for index in attributes.indices where isLong(attributes[index].name) { return attributes[index].name }
    for index in relationships.indices where isLong(relationships[index].name) {
      return relationships[index].name
    }
    return fetchedProperties.first { isLong($0.name) }?.name ?? fetchIndexes.first { isLong($0.name) }?.name
  }

  fileprivate var propertyCount: Int { attributes.count + relationships.count + fetchedProperties.count }
}
