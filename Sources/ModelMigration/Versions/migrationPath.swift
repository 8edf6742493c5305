package import ManagedModel
import PersistentStore

/// The versions that a store passes through, its own first and the target last.
///
/// - Parameters:
///   - candidates: names of the versions that the store's hashes fit, which may be several; the path begins at the latest
///     of them at or before the target.
///   - store: nil for the path between two versions, where no order is known from one to any other.
///   - isDowngrade: whether the target was asked for, and may stand before the store's version.
/// - Throws: ``DiagnosticsError`` with MC5104 where the store stands after the target and the way does not go back,
///   MC3404 where no path leads there.
package func migrationPath(
  in model: VersionedModel, from candidates: [String], to target: ModelVersion, store: String? = nil,
  isDowngrade: Bool = true
) throws(DiagnosticsError) -> [ModelVersion] {
  if let way = model.path(fromAnyOf: candidates, to: target) { return way }
  let back = model.downgrade(fromAnyOf: candidates, to: target)
  let (lineage, name) = (model.lineage(of: target), candidates.last ?? "?")
  // Xcode keeps no order of versions. So every version may migrate to the current one; and to any version, where the order
  // is a guess from names.
  let isOpen = model.isOrderGuessed || store != nil && target.name == model.currentVersionName
  if let source = model.version(named: name), isOpen,
    store == nil || source.origin == .xcode && source.predecessorName == nil
  {
    // What comes before goes by the versions between, whose mapping models undo what those on the way there computed.
    return back ?? [source, target]
  }
  if let back {
    if isDowngrade { return back }
    throw DiagnosticsError(
      .storeOfLaterVersion(store ?? model.name, version: back.first?.name ?? name, target: target.name))
  }
  // A step from the source would have to lead to a version that is not on its own line.
  let own = Set(model.version(named: name).map { model.origins(of: $0).map(\.name) } ?? [])
  let owner = store.map { "of \($0) " } ?? ""
  let missing = lineage.prefix { !own.contains($0.name) }.reversed().map(\.name)
  let others = lineage.reversed().map(\.name).dropLast()
  let follows = others.isEmpty ? "none" : others.map { "'\($0)'" }.joined(separator: ", ")
  let steps = missing.map { "'\(name)' → '\($0)'" }.joined(separator: " or ")
  throw DiagnosticsError(
    .noMigrationPath, "there is no migration path from version '\(name)' \(owner)to '\(target.name)'",
    subject: ModelSubject(version: name),
    notes: ["'\(target.name)' follows \(follows)"]
      + (steps.isEmpty ? [] : [Diagnostic.Note("missing step: \(steps)")]),
    help: [
      "say what '\(target.name)' or '\(name)' follows (`from:` in the list of versions), or name another target"
    ],
    cocoaCode: 134140)
}

extension Diagnostic.Code { package static let noMigrationPath = Self("MC3404") }
