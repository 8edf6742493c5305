import Foundation
package import ManagedModel

/// Where an app removes or moves a store that it could not open (MC2633), in the Swift files of a folder; and a container
/// there, where none is read with the models (MC2602).
///
/// - Returns: also whether a file names something of SwiftData; nil if none of those that were looked at does, and not all were.
package func checkAppFiles(
  below folder: String, besides models: [String]
) -> (findings: [Diagnostic], namesSwiftData: Bool?) {
  guard parsesSwift else { return ([], nil) }
  var (namesSwiftData, isWhole) = (false, true)
  var walk = SwiftFileWalk(below: folder)
  var (files, makers): ([(text: String, path: String)], [String]) = ([], [])
  while let path = walk.next() {
    guard let facts = FileFacts(ofFileAt: path), facts.size <= 4_000_000,
      let data = try? Data(contentsOf: URL(filePath: path))
    else {
      isWhole = false
      continue
    }
    namesSwiftData = namesSwiftData || data.namesSwiftData
    func has(_ word: String) -> Bool { data.range(of: Data(word.utf8)) != nil }
    let shown = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    // `.modelContainer(shared)` makes none. Without `@main` they are those of previews, as a rule.
    let isMaker = has("ModelContainer(") || has("modelContainer(for")
    if isMaker || has("odelContainer") && [shown].isRead(with: models) {
      makers.insert(shown, at: has("@main") ? 0 : makers.count)
    }
    if wipeWords.contains(where: has) { files.append((String(decoding: data, as: UTF8.self), shown)) }
  }
  let wipes = files.findStoreWipes().map { wipe in
    let isMoved = wipe.call.hasPrefix("move")
    return Diagnostic(
      .storeWipe, .warning,
      "a store that cannot be opened is \(isMoved ? "moved away" : "removed"): \(wipe.call) in or below '\(wipe.function)'",
      place: wipe.place,
      notes: [
        Diagnostic.Note("it is opened here", place: wipe.opening),
        isMoved
          ? "users start with an empty app, and nothing restores their data"
          : "users lose all their data if a migration fails, a disk is full or a file is locked",
      ],
      help: [
        "keep the file, tell the user, and open it again after an update",
        "`modelc triage LOG` says why it does not open, `modelc repair STORE` fixes damage",
      ])
  }
  let isKnown = namesSwiftData || isWhole && !walk.isCut
  return (makers.unreadContainers(besides: models) + wipes, isKnown ? namesSwiftData : nil)
}

extension [String] {
  private func parts(_ path: String) -> [String] { URL(filePath: path).standardizedFileURL.path.pathParts }

  /// Whether one of these files is among those that models are read from.
  fileprivate func isRead(with models: [String]) -> Bool {
    let sources = models.map(parts)
    return contains { file in sources.contains { parts(file).starts(with: $0) } }
  }

  /// Says that containers stand in these files, and none in those that models are read from: what they say is not checked.
  package func unreadContainers(besides models: [String]) -> [Diagnostic] {
    guard let source = models.first, let file = first, !isRead(with: models) else { return [] }
    let own = parts(source)
    let common = zip(own, parts(file)).prefix { $0 == $1 }.count
    let folder = (common..<own.count).reduce(source) { path, _ in path.parentPath }
    return [Diagnostic](
      .noSwiftDataModel, .information, "no ModelContainer was found with '\(source.visible)'",
      place: SourceRange(startOf: file),
      notes: [
        "what a container says is not checked: its classes and files, its plan, CloudKit (MC7008, MC2618, MC2643, MC1802)"
      ],
      help: ["name a folder that has both: `--models \((folder.isEmpty ? "." : folder).shellWord)`"])
  }
}

/// A store that cannot be opened is removed or moved.
extension Diagnostic.Code { package static let storeWipe = Self("MC2633", level: .path) }
