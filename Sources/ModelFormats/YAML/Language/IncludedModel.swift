package import ManagedModel

/// An entry of `include:` in a `versions.yaml`: another model that is opened with this one as one.
package struct IncludedModel: Hashable, Sendable {
  /// From the folder of the `versions.yaml`.
  package var path: String
  /// The included model's version by the version of this one, where the names are not the same.
  package var versions: [String: String] = [:]
  package var place: SourceRange?
}

extension Form<IncludedModel> {
  private static let schema = Schema<IncludedModel>(
    "an included model",
    [
      Field(required: "model", \.path, .text),
      Field("versions", \.versions, .dictionary, unless: [:]),
    ])

  static let includedModel = Form(.either([.text, schema.shape])) { node, subject, reading in
    var included = IncludedModel(path: "", place: node["model"]?.range ?? node.range)
    if case .mapping = node.content {
      schema.read(node, into: &included, about: subject, reading)
    } else if let path = reading.text(of: node, subject) {
      included.path = path
    }
    // What has no path was reported.
    return included.path.isEmpty ? nil : included
  } write: { included in
    included.versions.isEmpty ? .text(included.path) : .mapping(schema.write(included))
  }
}
