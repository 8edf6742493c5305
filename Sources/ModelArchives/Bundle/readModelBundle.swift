package import Foundation
package import ManagedModel

/// Reads a compiled model: a `.momd` bundle with its versions, or a single `.mom`, which is a model of one version.
///
/// Hashes that the bundle records go before computed ones (``ModelVersion/recordedHashes``); where the two differ,
/// MC2202 names the entities. A version that cannot be read yields its diagnostics, and the others still come.
/// `.omo` files repeat a `.mom` in another form and are passed over.
///
/// - Throws: `DiagnosticsError` where no version can be read (MC2203) or nothing is there (MC0009).
package func readModelBundle(at url: URL) throws -> (model: VersionedModel, diagnostics: [Diagnostic]) {
  let file = url.relativePath
  guard let isFolder = isFolder(url) else { throw DiagnosticsError(.noBundle(file)) }
  let name = url.deletingPathExtension().lastPathComponent
  guard isFolder else {
    let version = ModelVersion(
      name: name, model: try readFile(at: url).unarchiveModel(file: file), origin: .xcode)
    return (VersionedModel(name: name, versions: [version], currentVersionName: name), [])
  }
  let info = try readVersionInfo(at: url)
  var versions: [ModelVersion] = []
  var diagnostics: [Diagnostic] = []
  for entry in info.versions {
    do {
      let (version, findings) = try readVersion(entry, in: url)
      versions.append(version)
      diagnostics += findings
    } catch let error as DiagnosticsError {
      diagnostics += error.diagnostics
    }
  }
  guard let last = versions.last else {
    try diagnostics.refuse()
    throw DiagnosticsError(
      .corrupt(
        file, "'\(file)' contains no compiled version",
        help: "a bundle contains one '.mom' per version; compile the model again"))
  }
  var current = info.currentVersionName ?? last.name
  if !versions.contains(where: { $0.name == current }) {
    diagnostics.append(.corrupt(file, "the current version '\(current)' of '\(file)' is not in it"))
    current = last.name
  }
  var model = VersionedModel(name: name, versions: versions, currentVersionName: current, stages: info.stages)
  model.isStepwise = info.isStepwise
  model.isOrderGuessed = !info.listsOrder && !versions.map(\.name).isNumberedSeries
  return (model, diagnostics)
}

private func readVersion(_ entry: VersionInfo.Version, in bundle: URL) throws -> (ModelVersion, [Diagnostic])
{
  let file = bundle.appending(path: entry.name + ".mom")
  let model = try readFile(at: file).unarchiveModel(file: file.relativePath)
  let computed = model.entityVersionHashesByName
  guard let recorded = entry.hashes else {
    let version = ModelVersion(
      name: entry.name, model: model, predecessorNames: entry.predecessorNames, origin: .xcode)
    return (version, [])
  }
  var diagnostics: [Diagnostic] = []
  let unknown = Set(computed.keys).symmetricDifference(recorded.keys)
  if !unknown.isEmpty {
    diagnostics.append(
      .corrupt(
        file.relativePath,
        "the recorded hashes of version '\(entry.name)' and its model list different entities",
        notes: unknown.sorted().map { Diagnostic.Note("'\($0)' is in only one of them") },
        help: "compile the model again; stores are recognized by these hashes"))
  }
  let differing = recorded.filter { computed[$0.key] != nil && computed[$0.key] != $0.value }
  if !differing.isEmpty {
    diagnostics.append(
      .differentHashes, .error, "the recorded hashes of version '\(entry.name)' do not match its model",
      subject: ModelSubject(version: entry.name), place: SourceRange(startOf: file.relativePath),
      notes: differing.sorted { $0.key < $1.key }.map { name, hash in
        Diagnostic.Note("'\(name)': recorded \(hash), computed \(computed[name]?.description ?? "none")")
      },
      help: ["the recorded hashes are used, because stores have them"])
  }
  let merged = computed.merging(recorded) { _, recorded in recorded }
  let version = ModelVersion(
    name: entry.name, model: model, predecessorNames: entry.predecessorNames, origin: .xcode,
    recordedHashes: merged.filter { computed[$0.key] != nil })
  return (version, diagnostics)
}

/// Reads a file of a bundle whole, if it is not a larger than any compiled model.
private func readFile(at url: URL) throws -> Data {
  let file = url.relativePath
  let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
  guard size <= 256 << 20 else {
    throw DiagnosticsError(.unreadableArchive(file, reason: "it is larger than 256 MB", data: Data()))
  }
  guard let data = try? Data(contentsOf: url) else {
    throw DiagnosticsError(.unreadableArchive(file, reason: "it is missing or cannot be read", data: Data()))
  }
  if isLargeFilePointer(data) { throw DiagnosticsError(.largeFilePointer(file)) }
  return data
}

/// What `VersionInfo.plist` says, and the names of the `.mom` files where it says nothing.
struct VersionInfo {
  struct Version {
    var name: String
    var predecessorNames: [String] = []
    var hashes: [String: VersionHash]?
  }

  var currentVersionName: String?
  var versions: [Version]
  var stages: [MigrationStage] = []
  var isStepwise = false
  /// Whether the order of versions is on record, as `modelc` writes it.
  var listsOrder = false
}

/// Reads `VersionInfo.plist`, genuine or ours. The order of versions is ours where written, else natural.
private func readVersionInfo(at bundle: URL) throws -> VersionInfo {
  let url = bundle.appending(path: versionInfoName)
  func unusable(_ reason: String) -> DiagnosticsError {
    DiagnosticsError(.corrupt(url.relativePath, "'\(url.relativePath)' cannot be used: \(reason)"))
  }
  guard let files = try? FileManager.default.contentsOfDirectory(atPath: bundle.path) else {
    throw DiagnosticsError(.noBundle(bundle.relativePath))
  }
  let names = files.filter { $0.hasSuffix(".mom") && !$0.hasPrefix(".") }.map { String($0.dropLast(4)) }
    .sortedNaturally
  guard FileManager.default.fileExists(atPath: url.path) else {
    // A bundle of one model does not need the list.
    guard names.count == 1 else {
      throw DiagnosticsError(
        .corrupt(
          bundle.relativePath, "'\(bundle.relativePath)' has no 'VersionInfo.plist'",
          notes: ["without it the current version is unclear"],
          help: "compile the model again, or name one '.mom' of the bundle"))
    }
    return VersionInfo(versions: names.map { VersionInfo.Version(name: $0) })
  }
  guard let list = try readFile(at: url).readPropertyList()?.foundationValue as? [String: Any] else {
    throw unusable("it is not a property list")
  }
  let hashes = list["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:]
  let written = (list[ModelcBundleKey.versions] as? [[String: Any]] ?? [])
  let order = written.compactMap { $0["name"] as? String }
  let known = Set(names).union(hashes.keys)
  var versions: [VersionInfo.Version] = []
  for name in order + known.subtracting(order).sortedNaturally {
    guard name.isFileName else { throw unusable("the version name '\(name)' points outside the bundle") }
    var version = VersionInfo.Version(name: name)
    if let said = written.first(where: { $0["name"] as? String == name }) {
      version.predecessorNames =
        said["predecessors"] as? [String] ?? [said["predecessor"] as? String].compactMap(\.self)
    }
    if let recorded = hashes[name] {
      let read = recorded.compactMapValues(VersionHash.init(data:))
      guard read.count == recorded.count else { throw unusable("a hash of '\(name)' does not have 32 bytes") }
      version.hashes = read
    }
    versions.append(version)
  }
  let current = list["NSManagedObjectModel_CurrentVersionName"] as? String
  let stages = (list[ModelcBundleKey.stages] as? [[String: Any]] ?? []).compactMap(MigrationStage.init)
  return VersionInfo(
    currentVersionName: current, versions: versions, stages: stages,
    isStepwise: list[ModelcBundleKey.chain] as? String == ModelcBundleKey.stepwise,
    listsOrder: !order.isEmpty)
}

extension Diagnostic.Code {
  /// Hashes that a compiled model records are not those that its content gives.
  package static let differentHashes = Self("MC2202")
}

extension Diagnostic {
  fileprivate static func noBundle(_ file: String) -> Diagnostic {
    Diagnostic(
      .fileUnreadable, .error, "there is no compiled model at '\(file)'", place: SourceRange(startOf: file),
      help: ["`modelc compile` writes one from a model's sources"])
  }

  fileprivate static func corrupt(
    _ file: String, _ message: String, notes: [Note] = [], help: String = "compile the model again"
  ) -> Diagnostic {
    Diagnostic(.corruptBundle, .error, message, place: SourceRange(startOf: file), notes: notes, help: [help])
  }
}
