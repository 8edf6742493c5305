import ManagedModel

/// What a `versions.yaml` says: the order of the versions and which is current.
struct VersionList: Hashable, Sendable {
  var current: String?
  var versions: [VersionEntry] = []
  var stages: [StageEntry] = []
  /// Whether its stores are caches, which nobody migrates.
  var isDisposable = false
  /// Whether stores go through every version.
  var goesStepwise = false
  /// Models that are opened with this one as one.
  var includes: [IncludedModel] = []
}

/// One listed version.
struct VersionEntry: Hashable, Sendable {
  var name: String
  /// The version a branch leaves from; nil on the main line.
  var origin: String?
  /// Whether the mapping into it may be inferred.
  var allowsInference = true
  /// Who wrote the model that it was adopted from.
  var author = ModelOrigin.language
  var place: SourceRange?
  var originPlace: SourceRange?
}

extension VersionList {
  /// The version that each one follows: its `from`, else the one before it on the main line.
  var predecessors: [String: String] {
    var predecessors: [String: String] = [:]
    var last: String?
    for entry in versions {
      predecessors[entry.name] = entry.origin ?? last
      if entry.origin == nil { last = entry.name }
    }
    return predecessors
  }
}

/// The keys of `versions.yaml`.
let versionListSchema = Schema<VersionList>(
  "versions.yaml",
  [
    Field("current", \.current, .text),
    Field("disposable", \.isDisposable, .flag, unless: false),
    Field("chain", \.goesStepwise, .word([("stepwise", true), ("auto", false)]), unless: false),
    Field("include", \.includes, .includedModels, unless: []),
    Field(required: "versions", \.versions, .list(of: .versionEntry)),
    Field("stages", \.stages, .list(of: .stageEntry), unless: []),
  ])

extension Form<VersionEntry> {
  private static let schema = Schema<VersionEntry>(
    "a version",
    [
      Field(required: "name", \.name, .text),
      Field("from", shape: .text) { node, entry, subject, reading in
        entry.origin = reading.text(of: node, subject)
        entry.originPlace = node.range
      } write: {
        $0.origin.map(YAMLValue.text)
      },
      Field("infer", \.allowsInference, .flag, unless: true),
      Field("origin", \.author, .word([("xcode", .xcode), ("modelc", .language)]), unless: .language),
    ])

  fileprivate static let versionEntry = Form(.either([.text, schema.shape])) { node, subject, reading in
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
    let isPlain = entry.origin == nil && entry.allowsInference && entry.author == .language
    return isPlain ? .text(entry.name) : .mapping(schema.write(entry))
  }
}
