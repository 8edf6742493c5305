package import ManagedModel

/// Schemas that hold the shapes of stores that users have, each with types of its own, and the plan that joins them with
/// the newest schema of the app.
package struct FrozenSchemas: Sendable {
  package struct Shape: Sendable {
    package var version: ModelVersion
    /// Whose stores they are: `v1.0 to v1.3 (4 tags)`.
    package var stores: String
    /// A word for its type's name: the first tag.
    package var tag: String

    package init(version: ModelVersion, stores: String, tag: String) {
      (self.version, self.stores, self.tag) = (version, stores, tag)
    }

    /// The three numbers of its schema, or of the tag: `1.0.1` of a hotfix.
    fileprivate var number: [Int] { version.typeName.flatMap { _ in schemaNumber(version) } ?? tagNumber }
    /// Of a beta, `v1.0-b12`, that of its release: their days order them.
    fileprivate var tagNumber: [Int] {
      let text = tag.firstMatch(of: #/[0-9]+(\.[0-9]+)*/#)?.output.0 ?? "1"
      let numbers = text.split(separator: ".").map { $0.count < 10 ? Int($0) ?? 0 : 0 }
      return Array((numbers + [0, 0]).prefix(3))
    }
  }

  /// The shapes under the names and the numbers that the source gives them, oldest first.
  package let versions: [ModelVersion]
  package let source: SwiftDataSource
  /// Stages of the app's plan, whose closures the frozen plan needs too: `V1 → V2`.
  package let stages: [String]

  /// - Parameters:
  ///   - shapes: without today's, in the order of their tags' days; that of numbers wins, where a hotfix came later.
  ///   - current: the newest version of today's source.
  ///   - plan: today's source, with the stages of its plan.
  ///   - earlier: schemas of that plan that stand before all shapes; the new one lists them as they are.
  ///   - takenNames: names of today's types.
  package init(
    _ shapes: [Shape], after earlier: [ModelVersion] = [], current: ModelVersion,
    of plan: VersionedModel? = nil, takenNames: Set<String>
  ) {
    var taken = takenNames
    func free(_ name: String) -> String {
      var (candidate, number) = (name, 2)
      while !taken.insert(candidate).inserted {
        candidate = "\(name)_\(number)"
        number += 1
      }
      return candidate
    }
    let last = current.typeName == nil ? nil : schemaNumber(current)
    let numbers = Self.numbers(shapes, after: earlier.last.flatMap(schemaNumber), before: last)
    var versions: [ModelVersion] = []
    for (shape, number) in zip(shapes, numbers) {
      var model = Self.startingValues(
        of: shape.version.model.expressible, like: shape.version.model,
        after: (versions.last ?? earlier.last)?.model)
      let identifier = number.map(String.init).joined(separator: ".")
      model.foreignModules = []
      let letters = shape.tag.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
      let type = free("Schema_\(String(letters))")
      versions.append(ModelVersion(schema: type, named: identifier, model, identifier))
    }
    self.versions = versions
    var newest = current
    let major = (versions.last.flatMap(schemaNumber)?.first ?? 0) + 1
    if current.typeName == nil {
      let name = free("CurrentSchema")
      newest = ModelVersion(schema: name, named: name, current.model, "\(major).0.0")
    }
    var all = VersionedModel(
      name: free("Frozen"), versions: earlier + versions + [newest], currentVersionName: newest.name)
    all.isPublic = plan?.isPublic == true
    // Names come from the types.
    all.versions.editEach { ($0.predecessorNames, $0.typeName) = ([], $0.listedName) }
    let comments = Dictionary(firstOf: zip(versions, shapes).map { ($0.name, $1.comment) })
    let stages = plan?.customStages(between: earlier + shapes.map(\.version) + [current]) ?? [:]
    let work = stages.map { place, names in
      let step = [all.versions[place].name, all.versions[place + 1].name]
      return (step, ["move here what the app's plan does from \(names.listed)"])
    }
    self.stages = stages.sorted { $0.key < $1.key }.flatMap(\.value)
    var source = all.swiftDataSource(comments: comments, work: Dictionary(firstOf: work))
    let kept = earlier + [newest]
    source.parts.removeAll { part in kept.contains { $0.listedName == part.name } }
    if current.typeName == nil {
      let part = SwiftDataSource.Part(listing: current, name: newest.typeName ?? "", major: major)
      source.parts.insert(part, at: source.parts.count - 1)
    }
    source.diagnostics.removeAll { finding in kept.contains { $0.name == finding.subject?.version } }
    source.diagnostics += versions.flatMap(\.openDefaults)
    self.source = source
  }

  /// Numbers that ascend, and stay between those of the other schemas: those that the shapes had where that is possible.
  private static func numbers(_ shapes: [Shape], after first: [Int]?, before last: [Int]?) -> [[Int]] {
    var numbers: [[Int]] = []
    for shape in shapes {
      var own = shape.number
      if let former = numbers.last ?? first, !former.lexicographicallyPrecedes(own) {
        own = [former[0], former[1], former[2] + 1]
      }
      numbers.append(own)
    }
    let fits = last.map { last in numbers.last?.lexicographicallyPrecedes(last) ?? true } ?? true
    let least = first ?? [0, 0, 0]
    return fits ? numbers : shapes.indices.map { [least[0], least[1], least[2] + $0 + 1] }
  }

  /// A required property that is new in a shape gets a value for the objects of the shape before it: no hash holds it.
  private static func startingValues(
    of model: ManagedObjectModel, like original: ManagedObjectModel, after former: ManagedObjectModel?
  ) -> ManagedObjectModel {
    guard let former else { return model }
    var model = model
    model.entities.editEach { entity in
      let name = entity.name
      guard let old = former.entities.first(where: { $0.name == name }) else { return }
      let known = Set(old.attributes.flatMap { [$0.name, $0.canonicalName] })
      let origins = original.entities.first { $0.name == name }?.attributes ?? []
      entity.attributes.editEach { attribute in
        guard attribute.defaultValue == nil, !known.contains(attribute.canonicalName) else { return }
        let (name, isOptional) = (attribute.name, attribute.isOptional)
        // A default that the source does not tell is one all the same: another value would go into users' rows.
        let isUntold = origins.first { $0.name == name }?.defaultValue == .evaluated(.unknown)
        if isUntold || !isOptional { attribute.defaultValue = .evaluated(isUntold ? .placeholder : .plain) }
      }
    }
    return model
  }
}

extension [FrozenSchemas.Shape] {
  /// Where each belongs: by the numbers of schemas if all have one, else of tags if all are made alike, as `v1.0` and `v2.0.1`
  /// and not `2024.1`; alike ones stay as they are.
  package var ascending: [Int] {
    let haveSchemas = allSatisfy { $0.version.typeName != nil }
    let kinds = Set(map { $0.tag.prefix { !$0.isNumber } })
    guard haveSchemas || kinds.count == 1 && allSatisfy({ $0.tag.contains(where: \.isNumber) }) else {
      return [Int](indices)
    }
    return indices.sorted { left, right in
      let keys = [left, right].map { (haveSchemas ? self[$0].number : []) + self[$0].tagNumber + [$0] }
      return keys[0].lexicographicallyPrecedes(keys[1])
    }
  }
}

extension FrozenSchemas.Shape {
  fileprivate var comment: String {
    "Stores of \(stores): never change it. `modelc release --freeze FILE --check` proves it."
  }
}

extension ModelVersion {
  fileprivate init(schema: String, named name: String, _ model: ManagedObjectModel, _ identifier: String) {
    var model = model
    model.versionIdentifiers = [identifier]
    self.init(name: name, model: model, origin: .xcode)
    (notation, typeName) = (.swiftData, schema)
  }

  /// As a plan in another file lists its schema.
  fileprivate var listedName: String? { fullTypeName ?? typeName }

  /// Defaults that a person has to fill in.
  fileprivate var openDefaults: [Diagnostic] {
    let schema = (typeName ?? name).visible
    return model.entities.flatMap { entity in
      entity.attributes.filter { $0.defaultValue == .evaluated(.placeholder) }.map { attribute in
        Diagnostic(
          .notInSwiftData, .warning,
          "the source does not show the default of '\(entity.name.visible).\(attribute.name.visible)'",
          subject: ModelSubject(version: name, entity: entity.name, property: attribute.name),
          notes: ["a lightweight stage to \(schema) writes it into the rows of older stores"],
          help: [
            "write the value that the app had into \(schema), instead of `<#default#>`: until then it does not build"
          ])
      }
    }
  }
}

/// The three numbers of a version's identifier.
private func schemaNumber(_ version: ModelVersion) -> [Int]? {
  guard let identifier = version.model.versionIdentifiers.first else { return nil }
  let parts = identifier.split(separator: ".").compactMap { $0.count < 10 ? Int($0) : nil }
  return parts.count == 3 ? parts : nil
}

extension VersionedModel {
  /// The custom stages of a plan, by the step between two shapes of stores that passes them.
  fileprivate func customStages(between shapes: [ModelVersion]) -> [Int: [String]] {
    let places = shapes.map { shape in
      versions.firstIndex { $0.makesStores(of: shape) } ?? versions.firstIndex { $0.name == shape.name }
    }
    var found: [Int: [String]] = [:]
    for (step, (former, last)) in zip(places, places.dropFirst()).enumerated() {
      // A shape that the plan does not have is older than all of it.
      guard let last, (former ?? 0) < last else { continue }
      let passed = versions[(former ?? 0)...last]
      let custom = zip(passed, passed.dropFirst()).filter { customStage(from: $0, to: $1) != nil }
      if !custom.isEmpty {
        found[step] = custom.map { "\($0.typeName ?? $0.name) to \($1.typeName ?? $1.name)" }
      }
    }
    return found
  }

  /// Whether the schemas of a frozen file still have the hashes that were locked (MC2640).
  ///
  /// - Parameters:
  ///   - locked: checksums by version.
  package func checkFrozen(locked: [String: String], lockFile: String) -> [Diagnostic] {
    versions.filter { locked[$0.name] != $0.versionChecksum }.map { version in
      let (schema, isLocked) = ((version.typeName ?? version.name).visible, locked[version.name] != nil)
      return Diagnostic(
        .frozenChanged, .error,
        isLocked
          ? "'\(schema)' does not have the hashes that were locked under \(version.name.visible)"
          : "'\(schema)' is not in \(lockFile.visible)",
        subject: ModelSubject(version: version.name),
        place: version.sourceMap?.nearestRange(to: ModelSubject()),
        notes: [
          isLocked
            ? "stores of it no longer match a schema: the app does not open them"
            : "nothing proves that it has the hashes of users' stores"
        ],
        help: [
          isLocked
            ? "revert the edit: a frozen schema never changes"
            : "`modelc release --from-tags --freeze FILE` writes file and lock together"
        ], cocoaCode: isLocked ? 134504 : nil)
    }
  }
}

/// A frozen schema has other hashes than were locked, or none were.
extension Diagnostic.Code { package static let frozenChanged = Self("MC2640", level: .hash) }
