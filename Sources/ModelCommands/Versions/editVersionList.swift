import Foundation
import ManagedModel
import ModelFormats

/// An entry of `versions.yaml`.
struct ListedVersion {
  var name: String
  /// Where a branch leaves.
  var origin: String?

  /// As it stands in a list, in one line.
  var yaml: String {
    guard let origin else { return name.yamlScalar }
    return "{name: \(name.yamlScalar), from: \(origin.yamlScalar)}"
  }

  /// The list with this entry before one that is there, or at its end; comments, layout and everything else stay.
  ///
  /// - Returns: nil if the list is empty or has no such entry, or its text is not a YAML.
  func added(to list: Data, before next: String? = nil, isCurrent: Bool = false, file: String) -> Data? {
    guard let node = readYAML(list, file: file).node, let entries = node["versions"]?.elements,
      let place = next == nil ? entries.last : entries.first(where: { ($0["name"] ?? $0).text == next })
    else { return nil }
    var edits = [place.adding(yaml, isBefore: next != nil)]
    if isCurrent {
      guard let current = node["current"]?.range else { return nil }
      edits.append(.init("", range: current, replacement: name.yamlScalar))
    }
    return applyFixIts([edits], to: list).data
  }
}

extension VersionList {
  /// The versions without `from:`, in the list's order.
  var mainLine: [String] { versions.filter(\.origins.isEmpty).map(\.name) }
}
