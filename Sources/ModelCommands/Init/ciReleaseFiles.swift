import ModelFormats

/// A release that jobs install by its checksum, in place of building modelc.
struct CIRelease {
  var source: ModelcSource
  /// `owner/name` of its repository.
  var name: String
  /// Of the archive for Linux on x86-64.
  var sha256: String

  /// - Returns: nil if this program does not know where its releases are.
  init?(_ source: ModelcSource, sha256: String) {
    guard let name = source.gitHubName else { return nil }
    (self.source, self.name, self.sha256) = (source, name, sha256.lowercased())
  }

  /// The steps of GitHub's job after the clone: modelc's action, at the commit of the release.
  func gitHubStep(_ project: CIProject) -> String {
    var inputs = [
      ("version", source.version.yamlScalar), ("sha256", sha256.yamlScalar),
      ("repository", name.yamlScalar),
    ]
    if !project.arguments.isEmpty { inputs.append(("arguments", project.words.yamlScalar)) }
    switch project.packages.count {
    case 0: break
    case 1: inputs.append(("models", "${{ env.MODEL }}"))
    default: inputs += [("models", "${{ matrix.model }}"), ("sarif-category", "${{ matrix.model }}")]
    }
    return """
      # modelc \(source.version); sha256 is the Linux archive's, from SHA256SUMS of the release.
      - uses: \(name)/.github/actions/modelc@\(source.revision)
        with:
      \(inputs.map { "    \($0): \($1)" }.joined(separator: "\n"))
      """
  }

  /// GitLab's job: modelc's template, at the commit of the release.
  func gitLabPipeline(_ project: CIProject, matrix: String) -> String {
    var variables = [
      "MODELC_RELEASES: https://github.com/\(name)/releases/download",
      "MODELC_VERSION: \(source.version.yamlScalar)",
      "# The Linux archive's, from SHA256SUMS of the release.", "MODELC_SHA256: \(sha256.yamlScalar)",
    ]
    if project.packages.count == 1 { variables.append("MODEL: \(project.packages[0].yamlScalar)") }
    if !project.arguments.isEmpty { variables.append("MODELC_ARGUMENTS: \(project.words.yamlScalar)") }
    return "gitlab-release.yml".filledFile([
      "name": name, "revision": source.revision,
      "variables": variables.joined(separator: "\n").gitLabVariables,
      "matrix": matrix,
    ])
  }
}

extension CIProject {
  /// The arguments that name project and models, without the space before them.
  fileprivate var words: String { String(arguments.drop { $0 == " " }) }
}
