package import ManagedModel

/// Swift source for SwiftData: an enum for each version with its classes, and the plan.
package struct SwiftDataSource: Sendable {
  /// An enum of the source.
  package struct Part: Sendable {
    package var name: String
    fileprivate var body: String
    fileprivate var modules: Set<String> = []

    fileprivate init(name: String, body: String) { (self.name, self.body) = (name, body) }

    /// A schema that lists the app's own classes.
    init(listing version: ModelVersion, name: String, major: Int) {
      let classes = version.model.entities.map { entity in
        let path = version.classPaths[entity.name] ?? [entity.name]
        return path.map { $0.swiftIdentifier() }.joined(separator: ".") + ".self"
      }
      let lines =
        [
          "/// The app's own classes. Freeze them before you change them for the next release."
        ] + version.model.availability + [
          "enum \(name): VersionedSchema {",
          "    static let versionIdentifier = Schema.Version(\(major), 0, 0)", "",
          "    static var models: [any PersistentModel.Type] {",
        ] + indented(indented(classes.listLines)) + ["    }", "}", ""]
      self.init(name: name, body: lines.joined(separator: "\n"))
    }

    /// A file that holds it alone.
    package var file: String { modules.importLines + "\n" + body }
  }

  package var parts: [Part]
  /// What SwiftData cannot express of the versions (MC2620).
  package var diagnostics: [Diagnostic]

  /// A file that holds all of it.
  package var file: String {
    ([Set(parts.flatMap(\.modules)).importLines] + parts.map(\.body)).joined(separator: "\n")
  }
}

extension Set<String> {
  fileprivate var importLines: String {
    (["Foundation", "SwiftData"] + sorted()).map { "import \($0)\n" }.joined()
  }
}

extension VersionedModel {
  /// Writes a model as Swift source for SwiftData. The same model gives the same bytes.
  ///
  /// - Parameters:
  ///   - version: the version that is written alone, without the plan.
  ///   - comments: what stands above schemas, by version.
  ///   - work: what a step does beside what is inferred: a line each, by the names of the versions that it leads from and to.
  package func swiftDataSource(
    only version: String? = nil, comments: [String: String] = [:], work: [[String]: [String]] = [:]
  ) -> SwiftDataSource {
    let names = SchemaNames(self)
    let versions = self.versions.filter { version == nil || $0.name == version }
    var source = SwiftDataSource(parts: [], diagnostics: [])
    var known: [String: ModelVersion] = [:]
    for version in versions {
      guard let schema = names[version.name] else { continue }
      let written = version.model.expressible
      let body = SchemaWriter(written, schema).text(comments[version.name])
      var part = SwiftDataSource.Part(name: schema.name, body: body)
      part.modules = version.model.foreignModules
      source.parts.append(part)
      source.diagnostics += version.checkSwiftDataWording()
      let checksum = written.versionChecksum
      if let other = known[checksum], other.versionChecksum != version.versionChecksum {
        let subject = ModelSubject(version: version.name)
        source.diagnostics.append(
          .notInSwiftData, .warning,
          "SwiftData cannot express the difference between '\(version.name)' and '\(other.name)'",
          subject: subject, place: version.sourceMap?.nearestRange(to: subject),
          notes: ["their version hashes become the same, and SwiftData refuses a plan with both"],
          help: ["leave one of them out of the plan"])
      }
      known[checksum] = known[checksum] ?? version
    }
    if version == nil {
      let body = planText(of: self, names, work)
      source.parts.append(SwiftDataSource.Part(name: names.plan, body: body))
    }
    return source
  }
}
