import ModelFormats

extension CIProject {
  /// The steps of GitHub's job after the clone: modelc's action, at the commit of the release.
  func gitHubAction(installing name: String, _ sha256: String) -> String {
    var inputs = [
      ("version", source.version.yamlScalar), ("sha256", sha256.yamlScalar),
      ("repository", name.yamlScalar),
    ]
    if !arguments.isEmpty { inputs.append(("arguments", words.yamlScalar)) }
    switch packages.count {
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
  func gitLabTemplate(installing name: String, _ sha256: String, matrix: String) -> String {
    var variables = [
      "MODELC_RELEASES: https://github.com/\(name)/releases/download",
      "MODELC_VERSION: \(source.version.yamlScalar)",
      "# The Linux archive's, from SHA256SUMS of the release.", "MODELC_SHA256: \(sha256.yamlScalar)",
    ]
    if packages.count == 1 { variables.append("MODEL: \(packages[0].yamlScalar)") }
    if !arguments.isEmpty { variables.append("MODELC_ARGUMENTS: \(words.yamlScalar)") }
    return "gitlab-release.yml".filledFile([
      "name": name, "revision": source.revision,
      "variables": variables.joined(separator: "\n").gitLabVariables,
      "matrix": matrix,
    ])
  }

  /// The arguments that name project and models, without the space before them.
  private var words: String { String(arguments.drop { $0 == " " }) }
}
