package import ManagedModel

extension SwiftDataProgram {
  /// Two schemas of a plan with one checksum end the app at start (MC2610).
  func checkChecksums(_ model: VersionedModel) -> [Diagnostic] {
    guard plan != nil else { return [] }
    var first: [String: ModelVersion] = [:]
    return model.versions.compactMap { version in
      guard let other = first[version.versionChecksum] else {
        first[version.versionChecksum] = version
        return nil
      }
      let schemas = [version, other].map { one in versions.first { $0.name == one.name }?.schema }
      // The finding about live types says it.
      if let one = schemas[0], let other = schemas[1], one.listsSameTypes(other),
        let newest = versions.last?.schema, one.models.contains(where: newest.lists)
      {
        return nil
      }
      return Diagnostic(
        .sameSchema, .error, "'\(version.name.visible)' is the same schema as '\(other.name.visible)'",
        subject: ModelSubject(version: version.name), place: schemas[0]?.entry.place,
        notes: [
          Diagnostic.Note("the other one", place: schemas[1]?.entry.place),
          "SwiftData stops the app: \"Duplicate version checksums across stages detected.\"",
        ],
        help: ["remove one of them from the plan, or give the older one the types that it was released with"])
    }
  }
}

extension Diagnostic.Code { package static let sameSchema = Self("MC2610", level: .hash) }
