package import Foundation
package import ManagedModel

/// Reads a `versions.yaml` and checks that its names are legal, known and listed once.
///
/// - Returns: no list where the text is not a YAML or lists nothing.
package func readVersionList(yaml: Data, file: String) -> (list: VersionList?, diagnostics: [Diagnostic]) {
  let (node, reading) = LanguageReading.read(yaml, file: file)
  guard let node else { return (nil, reading.diagnostics) }
  var list = VersionList()
  versionListSchema.read(node, into: &list, about: ModelSubject(), reading)
  reading.diagnostics = reading.diagnostics.map { $0.code == .missingKey ? $0.withExample : $0 }
  list.versions = list.versions.checked(node["versions"], reading)
  if node["versions"] != nil { checkCurrent(list, node, reading) }
  // Without a finding the model would be gone without a word.
  if list.versions.isEmpty, let versions = node["versions"], !reading.diagnostics.hasErrors {
    reading.diagnostics.append(
      .noCurrentVersion, .error, "the list of versions is empty: there is no model", place: versions.range,
      help: ["list them, oldest first: 'versions: [V1, V2]'"])
  }
  return (list.versions.isEmpty ? nil : list, reading.finished)
}

extension [VersionEntry] {
  /// The entries that can be used: each name once, and every `from` an earlier one.
  package func checked(_ list: YAMLNode?, _ reading: LanguageReading) -> [VersionEntry] {
    var checked: [VersionEntry] = []
    var earlier: [String: VersionEntry] = [:]
    let all = Set(map(\.name))
    for var entry in self {
      // It is a file of this folder, and not the list itself.
      guard entry.name.isFileName, entry.name.lowercased() != "versions" else {
        // A missing name was reported by the schema.
        if entry.name.isEmpty, !entry.origins.isEmpty { continue }
        reading.diagnostics.append(
          .invalidName, .error, "'\(entry.name.abridged)' cannot be a version's name", place: entry.place,
          help: [
            "a version's name is its file's name: no '/', ':' or '\\', no dot at the start, not 'versions'"
          ])
        continue
      }
      if let first = earlier[entry.name] {
        reading.diagnostics.append(.versionListedTwice(entry, first: first, list))
        continue
      }
      for (place, origin) in zip(entry.originPlaces, entry.origins) where earlier[origin] == nil {
        let isListed = all.contains(origin)
        let finding = Diagnostic(
          .versionOrigin, .error,
          "version '\(entry.name.abridged)' follows '\(origin.abridged)' (`from:`), which is not \(isListed ? "before it" : "listed")",
          place: place, help: ["versions are listed oldest first; move '\(origin.abridged)' up"])
        reading.diagnostics.append(
          isListed
            ? finding
            : finding.suggesting(
              nearMatch(to: origin, among: all).flatMap { $0.isObvious ? $0 : nil }, at: place,
              as: { $0.yamlScalar(.text, inFlow: true) },
              else: ["the versions are \(all.sorted().joined(separator: ", ").abridged)"]))
      }
      entry.origins = entry.origins.filter { earlier[$0] != nil }.unique
      earlier[entry.name] = entry
      checked.append(entry)
    }
    return checked
  }
}

private func checkCurrent(_ list: VersionList, _ node: YAMLNode, _ reading: LanguageReading) {
  let names = list.versions.map(\.name)
  if let current = list.current {
    guard !names.contains(current), !names.isEmpty else { return }
    let place = node["current"]?.range
    reading.diagnostics.append(
      Diagnostic(
        .noCurrentVersion, .error, "the current version '\(current.abridged)' is not listed", place: place
      ).suggesting(
        nearMatch(to: current, among: names).flatMap { $0.isObvious ? $0 : nil }, at: place,
        as: { $0.yamlScalar(.text, inFlow: false) },
        else: ["the versions are \(names.joined(separator: ", "))"]))
  } else if node["current"] == nil {
    var start = node.range
    start.end = start.start
    var diagnostic = Diagnostic(
      .noCurrentVersion, .error, "no version is current: the key 'current' is missing", place: start)
    if let latest = names.last {
      let line = "current: \(latest.yamlScalar(.text, inFlow: false))"
      diagnostic.fixIts = [.init("add '\(line)'", range: start, replacement: line + "\n")]
      diagnostic.help = ["'current' names the version that stores are migrated to"]
    }
    reading.diagnostics.append(diagnostic)
  }
}

extension Diagnostic.Code {
  package static let noCurrentVersion = Self("MC2101", exit: .unknownName)
  package static let versionListedTwice = Self("MC2102")
  package static let versionOrigin = Self("MC2106")
}

extension Diagnostic {
  /// What a list looks like, if there is none.
  fileprivate var withExample: Diagnostic {
    guard message.contains("'versions'") else { return self }
    return with { $0.help.append("list them, oldest first: 'versions: [V1, V2]'") }
  }

  fileprivate static func versionListedTwice(
    _ entry: VersionEntry, first: VersionEntry, _ list: YAMLNode?
  ) -> Diagnostic {
    var diagnostic = Diagnostic(
      .versionListedTwice, .error, "version '\(entry.name.abridged)' is listed twice", place: entry.place,
      notes: [Note("first here", place: first.place)], help: ["rename or remove one of the two"])
    if let index = list?.elements.firstIndex(where: { ($0["name"] ?? $0).range == entry.place }),
      let removal = list?.removal(at: index)
    {
      let isSafe = entry.origins.isEmpty || entry.origins == first.origins
      diagnostic.fixIts = [removal.fixIt("remove this one", isSafe: isSafe)]
    }
    return diagnostic
  }
}
