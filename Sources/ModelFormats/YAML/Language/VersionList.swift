package import ManagedModel

/// The name of the file that lists the versions.
package let versionListFileName = "versions.yaml"

/// What a `versions.yaml` says: the order of the versions and which is current.
package struct VersionList: Hashable, Sendable {
  package var current: String?
  package var versions: [VersionEntry] = []
  package var stages: [StageEntry] = []
  /// Whether its stores are caches, which nobody migrates.
  package var isDisposable = false
  /// Whether stores go through every version.
  package var isStepwise = false
  /// Models that are opened with this one as one.
  package var includes: [IncludedModel] = []

  /// The versions that each one follows: its `from`, else the one before it on the main line.
  package var predecessors: [String: [String]] {
    var predecessors: [String: [String]] = [:]
    var last: String?
    for entry in versions {
      predecessors[entry.name] = entry.origins.isEmpty ? [last].compactMap(\.self) : entry.origins
      if !entry.isBranch { last = entry.name }
    }
    return predecessors
  }
}

/// One listed version.
package struct VersionEntry: Hashable, Sendable {
  package var name: String
  /// The versions that it follows; empty on the main line. A branch leaves from one, and a version that several lead
  /// to brings branches together.
  package var origins: [String] = []
  /// Whether the mapping into it may be inferred.
  package var allowsInference = true
  /// Who wrote the model that it was adopted from.
  package var author = ModelOrigin.language
  package var place: SourceRange?
  var originPlaces: [SourceRange] = []

  /// Whether the main line goes on from the version before it.
  package var isBranch: Bool { origins.count == 1 }
}

/// The keys of `versions.yaml`.
let versionListSchema = Schema<VersionList>(
  "versions.yaml",
  [
    Field("current", \.current, .text),
    Field("disposable", \.isDisposable, .flag, unless: false),
    Field("chain", \.isStepwise, .word([("stepwise", true), ("auto", false)]), unless: false),
    Field("include", \.includes, .list(of: .includedModel), unless: []),
    Field(required: "versions", \.versions, .list(of: .versionEntry)),
    Field("stages", \.stages, .list(of: .stageEntry), unless: []),
  ])

extension Form<VersionEntry> {
  private static let schema = Schema<VersionEntry>(
    "a version",
    [
      Field(required: "name", \.name, .text),
      Field("from", shape: .either([.text, Form<[String]>.texts.shape()])) { node, entry, subject, reading in
        if case .sequence(let elements) = node.content {
          entry.origins = Form<[String]>.texts.read(node, subject, reading) ?? []
          entry.originPlaces = elements.map(\.range)
        } else if let name = reading.text(of: node, subject) {
          (entry.origins, entry.originPlaces) = ([name], [node.range])
        }
      } write: {
        $0.origins.count > 1
          ? .sequence($0.origins.map(YAMLValue.text)) : $0.origins.first.map(YAMLValue.text)
      },
      Field("infer", \.allowsInference, .flag, unless: true),
      Field("origin", \.author, .word([("xcode", .xcode), ("modelc", .language)]), unless: .language),
    ])

  static let versionEntry = Form(.either([.text, schema.shape])) { node, subject, reading in
    var entry = VersionEntry(name: "", place: node["name"]?.range ?? node.range)
    if case .mapping = node.content {
      schema.read(node, into: &entry, about: subject, reading)
    } else if let name = reading.text(of: node, subject) {
      entry.name = name
    } else {
      return nil
    }
    return entry
  } write: { entry in
    let isPlain = entry.origins.isEmpty && entry.allowsInference && entry.author == .language
    return isPlain ? .text(entry.name) : .mapping(schema.write(entry))
  }
}
