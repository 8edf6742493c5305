import Foundation
package import ManagedModel
package import ModelFormats
package import SwiftDataModels

extension CheckedModel {
  /// Writes each shape of users' stores as a schema with types of its own, the plan that joins them, the lock, and one store
  /// of each shape.
  ///
  /// - Parameters:
  ///   - file: the Swift file, which is written only where it reads back with the hashes of the tags.
  ///   - rows: objects of each store that is kept.
  ///   - write: writes the file.
  /// - Returns: the schemas; the lines of the lock, one for each of them, and the store that is kept of it; the tags whose
  ///   stores today's newest schema makes, for which no schema is frozen; and the types of schemas before all that tags have,
  ///   which the new plan lists.
  /// - Throws: MC7030 where no tag has a model, MC2641 where the source would have other hashes, MC7011 where the lock is
  ///   not as it was written.
  package func freezeShippedSchemas(
    _ shipped: ShippedSchemas, to file: String, rows: Int, write: (String) throws -> Void
  ) throws -> (schemas: FrozenSchemas, records: [ReleaseRecord], current: String?, earlier: [String]) {
    guard var current = model.currentVersion else { throw DiagnosticsError(self.diagnostics) }
    let hashes = current.entityVersionHashesByName
    var old = shipped.shapes.filter { $0.version.entityVersionHashesByName != hashes }
    guard !old.isEmpty else { throw DiagnosticsError(.nothingToFreeze(shipped)) }
    // What the file itself has is written anew.
    let place = URL(filePath: file).standardizedFileURL
    func isInFile(_ version: ModelVersion) -> Bool {
      version.sourceMap.map { URL(filePath: $0.file).standardizedFileURL == place } ?? false
    }
    if isInFile(current) { current.typeName = nil }
    var taken = Set(model.versions.filter { !isInFile($0) }.compactMap(\.typeName))
    taken.formUnion(
      model.versions.flatMap { $0.model.entities.map(\.name) + $0.model.composites.map(\.name) })
    func shapes() -> [FrozenSchemas.Shape] {
      old.map { .init(version: $0.version, stores: $0.tagNames, tag: $0.tags.first?.name ?? "") }
    }
    old = shapes().ascending.map { old[$0] }
    // What a schema with types of the app's was, it does not tell.
    let own = Set(current.classPaths.values)
    let earlier = shipped.versions(before: model).filter { version in
      version.typeName != nil && !isInFile(version) && own.isDisjoint(with: version.classPaths.values)
    }
    let schemas = FrozenSchemas(shapes(), after: earlier, current: current, of: model, takenNames: taken)
    let text = schemas.source.file
    let frozen = try readBack(text, schemas, old, file)
    let places = self.places
    let former = try places.lock()
    var lock = former
    // Their lines now name the schemas that hold them.
    lock.entries.removeAll { entry in
      frozen.contains { $0.versionChecksum == entry.checksum || $0.name == entry.version }
    }
    var records: [ReleaseRecord] = []
    let today = shipped.shapes.first { $0.version.entityVersionHashesByName == hashes }
    try write(text)
    try places.moveStores(of: former.entries, to: frozen)
    for (shape, version) in zip(old, frozen) {
      let entry = ReleaseLock.Entry(version, date: shape.tags.first?.date ?? "", tag: shape.tags.first?.name)
      lock.entries.append(entry)
      let isKept = places.hasStore(of: version.name)
      let fixture = try isKept ? nil : version.keepFixture(rows: rows, at: places)
      records.append(ReleaseRecord(entry: entry, fixture: fixture))
    }
    try places.write(lock, over: former)
    return (schemas, records, today?.tagNames, earlier.compactMap(\.typeName))
  }

  /// The schemas of the text, which have the hashes of the shapes.
  private func readBack(
    _ text: String, _ schemas: FrozenSchemas, _ shapes: [ShippedSchemas.Shape], _ file: String
  ) throws -> [ModelVersion] {
    let (read, diagnostics) = reader.readFrozen(Data(text.utf8), file)
    return try zip(shapes, schemas.versions).map { shape, version in
      guard let own = read?.version(named: version.name),
        own.entityVersionHashesByName == shape.version.entityVersionHashesByName,
        own.typeFacts == shape.version.typeFacts
      else {
        let other = read?.version(named: version.name)
        let entities = shape.version.entityVersionHashesByName.filter { name, hash in
          other?.entityVersionHashesByName[name] != hash
            || other?.typeFacts[name] != shape.version.typeFacts[name]
        }.keys.sorted()
        let wording = shape.version.checkSwiftDataWording(onlyHashed: true)
        // The newest schema lists the app's classes, which are not there.
        let mistakes = diagnostics.filter { $0.severity == .error && $0.code != .unknownInSource } + wording
        let names = entities.prefix(6).map { "'\($0)'" }.joined(separator: ", ")
        throw DiagnosticsError(
          .cannotFreeze,
          "the written source would have, or may have, other hashes than the stores of \(shape.tagNames): \(names)",
          notes: mistakes.prefix(4).map { Diagnostic.Note("\($0.code): \($0.message)") }
            + entities.prefix(4).compactMap { name in
              shape.version.typeFacts[name].map { facts in
                Diagnostic.Note(
                  "'\(name.visible)' has \(facts.joined(separator: ", ")), known only to the type itself")
              }
            } + ["nothing was written"],
          help: [
            "`git show \(shape.tags.first?.name ?? "TAG"):PATH` has the classes: copy them into a VersionedSchema by hand"
          ])
      }
      return own
    }
  }
}

extension ShippedSchemas {
  /// Schemas of a plan that are older than all that the tags have: where tags began late, users have their stores.
  func versions(before plan: VersionedModel) -> ArraySlice<ModelVersion> {
    let first = plan.versions.firstIndex { version in
      shapes.contains { $0.version.makesStores(of: version) || $0.version.name == version.name }
    }
    return plan.versions[..<(first ?? 0)]
  }
}

extension ModelVersion {
  /// By entity, what of its hash rests on the very types that are written.
  fileprivate var typeFacts: [String: [String]] {
    unprovenHashes.mapValues { $0.filter(UnverifiedBehavior.ofTypes.contains) }.filter { !$0.value.isEmpty }
  }
}

extension ReleasePlaces {
  /// Whether the schemas of a frozen file have the hashes of the lock; see `checkFrozen(locked:lockFile:)`.
  package func checkFrozenFile(at file: String, _ reader: ModelReader) throws(DiagnosticsError) -> (
    count: Int, findings: [Diagnostic]
  ) {
    // The file alone: what lies beside it is not frozen.
    let text = try readFile(URL(filePath: file), shownAs: file)
    let (model, diagnostics) = reader.readFrozen(text, file)
    guard let model, !diagnostics.filter({ $0.severity == .error }).contains(where: { $0.code == .notSwift })
    else { throw DiagnosticsError(diagnostics) }
    let locked = Dictionary(firstOf: try lock().entries.map { ($0.version, $0.checksum) })
    // The newest schema stands in the file where it lists the app's classes: it is not frozen.
    var frozen = model
    frozen.versions.removeAll { version in version.model.entities.isEmpty }
    return (frozen.versions.count, frozen.checkFrozen(locked: locked, lockFile: self.lockFile))
  }
}

extension ModelReader {
  /// A frozen file has a plan of its own, whichever the app's is called.
  fileprivate func readFrozen(_ text: Data, _ file: String) -> Reading {
    SwiftSourceReader(SwiftReading(platform: swift.platform)).read(
      SourceFiles([SwiftSourceText(text, path: file)]), name: "Frozen", source: file
    ) { $0 }
  }
}

extension Diagnostic.Code {
  /// Shapes of stores cannot be written as source with the same hashes, or there are none.
  package static let cannotFreeze = Self("MC2641", level: .hash)
}

extension Diagnostic {
  fileprivate static func nothingToFreeze(_ shipped: ShippedSchemas) -> Self {
    Self(
      .cannotFreeze, .error,
      shipped.shapes.isEmpty
        ? "no tag of \(shipped.tagCount) has a SwiftData schema that can be read"
        : "the stores of all tags are those of today's newest schema: there is nothing to freeze",
      notes: shipped.unreadable.prefix(4).map { Note("\($0.tag): \($0.reason.visible)") },
      help: [
        shipped.shapes.isEmpty
          ? "`modelc version list --from-tags` shows what each tag has"
          : "before you change it: `modelc release VERSION --freeze FILE` writes it with types of its own"
      ])
  }
}
