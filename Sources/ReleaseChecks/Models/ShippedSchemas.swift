package import ManagedModel
package import ModelFormats

/// The shapes that stores of an app's users have: of each tag the newest schema.
///
/// Only the newest schema of a build makes stores; its older schemas are claims.
package struct ShippedSchemas: Sendable {
  package struct Shape: Sendable {
    package var version: ModelVersion
    /// The same as its last tag has it: what no hash holds may be another. Enums have the cases of all tags: rows may.
    package var latest: ModelVersion
    /// Those that have it, the oldest first.
    package var tags: [GitTag]
    /// As they code values, which no hash holds: of tags that do so alike the last one.
    var codings: [(tag: GitTag, version: ModelVersion)] = []

    /// `v1.0-b34 to v1.0-b43 (6 tags)`.
    package var tagNames: String {
      let names = tags.map(\.name)
      guard let first = names.first, let last = names.last, names.count > 1 else { return names.first ?? "" }
      return names.count == 2 ? "\(first) and \(last)" : "\(first) to \(last) (\(names.count) tags)"
    }
  }

  /// In the order of their first tags.
  package var shapes: [Shape] = []
  package var tagCount = 0
  /// Whether a pattern names the tags that users have.
  var areNamed = false
  package var tagsWithoutModel = 0
  package var unreadable: [(tag: String, reason: String)] = []
  /// Whether there are older tags than were looked at.
  package var isCut = false
  /// Whether the clone is shallow, and may lack tags; of those that were named it has some.
  package var isShallow = false

  package init() {}

  /// So many tags are read: the newest ones.
  package static let tagLimit = 1_000

  /// - Throws: MC0014 where git gives no tags, MC7030 where none is of the name.
  package init(
    tags pattern: String?, ofModelAt path: String, _ reader: ModelReader, limit: Int = tagLimit
  ) throws(DiagnosticsError) {
    let (found, isCut) = try readTags(inRepositoryOf: path, limit: 1_000_000)
    let all = found.filter { tag in pattern.map(tag.matches) ?? true }
    let tags = Array(all.suffix(limit))
    self.isCut = isCut || all.count > limit
    (tagCount, areNamed) = (tags.count, pattern != nil)
    if let pattern, tags.isEmpty { throw DiagnosticsError(.noTag(pattern, at: path)) }
    if pattern == nil { isShallow = try GitRepository.holding(path).repository.kind == .shallow }
    guard !tags.isEmpty else { return }
    let states = try reader.readNewestSchemas(ofSourceAt: path, in: tags.map(\.commit))
    for (tag, state) in zip(tags, states) {
      switch state {
      case .absent: tagsWithoutModel += 1
      case .unreadable(let reason): unreadable.append((tag.name, reason))
      case .read(let version):
        let hashes = version.entityVersionHashesByName
        if let index = shapes.firstIndex(where: { $0.version.entityVersionHashesByName == hashes }) {
          shapes[index].tags.append(tag)
          let past = shapes[index].latest
          shapes[index].latest = version
          shapes[index].latest.addCases(of: past)
          if shapes[index].codings.last?.version.model.codings == version.model.codings {
            shapes[index].codings.removeLast()
          }
          shapes[index].codings.append((tag, version))
        } else {
          shapes.append(Shape(version: version, latest: version, tags: [tag], codings: [(tag, version)]))
        }
      }
    }
  }
}
