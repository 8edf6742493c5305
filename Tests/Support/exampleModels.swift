/// The models that an explanation's example shows in fenced YAML: of each the files by name.
///
/// A block without names of files is a version V1.
package func exampleModels(in markdown: String) -> [[String: String]] {
  markdown.matches(of: #/(?s)```yaml\n(.*?)```/#).map { match in
    let block = String(match.1)
    guard block.hasPrefix("# ") else {
      return ["versions.yaml": "current: V1\nversions: [V1]\n", "V1.yaml": block]
    }
    var files: [String: String] = [:]
    var name = ""
    for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: #/# (\S+\.yaml)/#) {
        name = String(match.1)
      } else {
        files[name, default: ""] += line + "\n"
      }
    }
    return files
  }
}
