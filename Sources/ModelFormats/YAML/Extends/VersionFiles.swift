import Foundation
package import ManagedModel

/// The files of one model's versions, for those that extend others: what is extended is put together once.
package final class VersionFiles: @unchecked Sendable {
  /// What the versions that extend others may come to, so that a few small files cannot ask for much memory.
  private static let byteLimit = 8 * largestSourceFile

  package let folder: ModelFolder
  /// As `versions.yaml` lists them; nil if any file of the folder may be extended.
  private let listed: [String]?
  private let lock = NSLock()
  private var known: [String: Whole] = [:]
  let entities = NamedCache<LanguageEntity>()
  private var byteCount = 0

  package init(folder: ModelFolder, listed: [String]?) { (self.folder, self.listed) = (folder, listed) }

  /// The versions whose files are there without being listed.
  package var unlisted: [String] {
    guard let listed else { return [] }
    let known = Set(listed)
    return folder.versionNames.filter { !known.contains($0) }
  }

  /// Files that say a version and that `versions.yaml` does not list, so that nothing sees them (MC2106).
  package var unlistedVersions: [Diagnostic] {
    unlisted.prefix(20).compactMap { name in
      let file = folder.shownPath("\(name).yaml")
      guard let data = try? folder.data(of: "\(name).yaml"),
        let node = readYAML(data, file: file).node, node["entities"] != nil || node["extends"] != nil
      else { return nil }
      return Diagnostic(
        .versionOrigin, .warning, "version '\(name.abridged)' is not listed in versions.yaml",
        place: SourceRange(startOf: file), notes: ["it is not compiled, and no store is recognized by it"],
        help: ["list it there, or move the file elsewhere"])
    }
  }

  /// A version put together, and the size of all that it is made of.
  private typealias Whole = (node: YAMLNode, bytes: Int)
  private typealias Link = (name: String, node: YAMLNode, reading: LanguageReading, bytes: Int)

  /// The whole of a version that extends another one.
  ///
  /// - Returns: nil if the way to what it extends is broken: in another file, that is told there.
  func whole(_ change: YAMLNode, of name: String, bytes: Int, _ reading: LanguageReading) -> YAMLNode? {
    lock.withLock {
      var chain: [Link] = [(name, change, reading, bytes)]
      guard var whole = follow(&chain) else {
        // Where nobody else reads the other files.
        if listed == nil {
          let found = chain.dropFirst().flatMap { $0.reading.diagnostics }
          let isFound = (found + reading.diagnostics).hasErrors
          reading.diagnostics += isFound ? found : [.extendsElsewhere(change["extends"] ?? change)]
        }
        return nil
      }
      for link in chain.reversed() {
        let origin = link.node["extends"]?.text ?? ""
        let merger = ChangeMerger(origin: origin, reading: link.reading)
        whole.node = merger.merge(link.node, into: whole.node, .model, ModelSubject())
        whole.bytes += link.bytes
        known[link.name] = whole
      }
      byteCount += whole.bytes
      if byteCount > Self.byteLimit {
        reading.diagnostics.append(
          .yamlLimit, .error,
          "the versions up to this one, with all that they extend, have more than \(Self.byteLimit) bytes",
          place: (change["extends"] ?? change).range, help: ["extend fewer large versions"])
        return nil
      }
      return whole.node
    }
  }

  /// Reads on until there is a version that extends nothing, or one that was put together before.
  private func follow(_ chain: inout [Link]) -> Whole? {
    var names: Set<String> = []
    while let link = chain.last, let value = link.node["extends"] {
      names.insert(link.name)
      guard let origin = link.reading.text(of: value, ModelSubject(key: "extends")) else { return nil }
      if names.contains(origin) {
        report(circle: chain.drop { $0.name != origin }.map(\.name), chain[0])
        return nil
      }
      if let whole = known[origin] { return whole }
      guard listed?.contains(origin) ?? (origin.isFileName && folder.holds("\(origin).yaml")) else {
        let others = (listed ?? folder.versionNames).filter { $0 != link.name }
        let lack = listed == nil ? "which has no file in this folder" : "which versions.yaml does not list"
        var finding = Diagnostic(
          .badExtends, .error, "this version extends '\(origin.abridged)', \(lack)", place: value.range)
        if let near = nearMatch(to: origin, among: others), near.isObvious {
          finding.help = ["did you mean '\(near.name.abridged)'?"]
          let text = near.name.yamlScalar(.text, inFlow: false)
          finding.fixIts = [Diagnostic.FixIt("write '\(near.name)'", range: value.range, replacement: text)]
        } else if !others.isEmpty {
          finding.help = ["the versions are \(others.joined(separator: ", ").abridged)"]
        }
        link.reading.diagnostics.append(finding)
        return nil
      }
      guard let next = read(origin) else { return nil }
      if next.node["extends"] == nil {
        known[origin] = (next.node, next.bytes)
        return known[origin]
      }
      chain.append(next)
    }
    return nil
  }

  /// A circle is told once, at the first of its versions.
  private func report(circle: [String], _ link: Link) {
    let first = (listed ?? circle).first(where: circle.contains)
    guard first == link.name, let value = link.node["extends"] else { return }
    // In the order of the way, beginning with the version itself.
    let way = (circle.drop { $0 != link.name } + circle.prefix { $0 != link.name }).dropFirst()
    let detour = way.isEmpty ? "" : " through " + way.map { "'\($0.abridged)'" }.joined(separator: ", ")
    link.reading.diagnostics.append(
      .badExtends, .error, "version '\(link.name.abridged)' extends itself\(detour)", place: value.range,
      help: ["write one of them as a complete model, without 'extends'"])
  }

  /// Nil if the file says no version; that is told where the file itself is read.
  private func read(_ name: String) -> Link? {
    guard let data = try? folder.data(of: "\(name).yaml") else { return nil }
    let (node, reading) = LanguageReading.read(data, file: folder.shownPath("\(name).yaml"))
    guard let node, case .mapping = node.content else { return nil }
    return (name, node, reading, data.count)
  }
}

extension Diagnostic.Code { package static let badExtends = Self("MC2108") }

extension Diagnostic {
  /// Where there is no folder to look into, or what is extended cannot be read.
  static func extendsElsewhere(_ value: YAMLNode) -> Diagnostic {
    Diagnostic(
      .badExtends, .error,
      "this version extends \(value.text.map { "'\($0.abridged)'" } ?? value.kind), which cannot be read here",
      place: value.range)
  }
}
