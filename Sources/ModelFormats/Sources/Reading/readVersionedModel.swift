package import Foundation
package import ManagedModel

/// Reads a folder under `Models/`: its `versions.yaml` and the file of every version it lists.
///
/// The folder's name is the model's. Places show paths as the folder was given: relative ones stay relative.
///
/// - Returns: no model where `versions.yaml` cannot be used. With errors among the diagnostics the model holds the
///   versions that could be read, for further findings; nothing else may be done with it.
package func readVersionedModel(folder: URL) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  readVersionedModel(in: ModelFolder(folder))
}

/// The same, of a folder some of whose files are edited.
package func readVersionedModel(
  in folder: ModelFolder, including chain: IncludeChain = IncludeChain(),
  _ reader: ModelReader = ModelReader()
) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  let listFile = folder.shownPath(versionListFileName)
  let list: VersionList
  var diagnostics: [Diagnostic]
  do throws(DiagnosticsError) {
    let data = try folder.data(of: versionListFileName)
    let (read, found) = readVersionList(yaml: data, file: listFile)
    guard let read else { return (nil, found) }
    (list, diagnostics) = (read, found)
  } catch {
    return (nil, error.diagnostics)
  }
  let isListSound = !diagnostics.hasErrors
  let predecessors = list.predecessors
  let files = VersionFiles(folder: folder, listed: list.versions.map(\.name))
  let hashes = NamedCache<PropertyHashes>()
  let readings = concurrentMap(list.versions) { entry in
    readVersion(entry, among: files, after: predecessors[entry.name] ?? [], sharing: hashes)
  }
  let versions = readings.compactMap(\.version)
  diagnostics += readings.flatMap(\.diagnostics)
  diagnostics = diagnostics.reportedOnce(of: versions) + (isListSound ? files.unlistedVersions : [])
  diagnostics += checkStages(of: list, versions, areSound: !diagnostics.hasErrors)
  var model = VersionedModel(
    name: folder.url.lastPathComponent, versions: versions, currentVersionName: list.current ?? "",
    stages: list.stages.map(\.stage))
  (model.isDisposable, model.isStepwise) = (list.isDisposable, list.isStepwise)
  model.unreadVersions = zip(list.versions, readings).filter { $1.version == nil }.map { entry, reading in
    let data = try? folder.data(of: "\(entry.name).yaml")
    return UnreadVersion(name: entry.name, digest: data.map(sha256), reasons: reading.diagnostics)
  }
  let (merged, found) = merge(list.includes, into: model, folder: folder.url, chain, reader)
  return (merged, (diagnostics + found).ordered)
}

private func readVersion(
  _ entry: VersionEntry, among files: VersionFiles, after predecessors: [String],
  sharing hashes: NamedCache<PropertyHashes>
) -> VersionReading {
  let file = "\(entry.name).yaml"
  let shownPath = files.folder.shownPath(file)
  let data: Data
  do throws(DiagnosticsError) {
    data = try files.folder.data(of: file)
  } catch {
    // A file that is there under nearly the same name.
    let near = nearestName(to: entry.name, among: files.unlisted)
    let findings = error.diagnostics.map {
      $0.with {
        $0.notes.append(.init("listed here", place: entry.place))
        if let near { $0.help.append("there is '\(near.abridged).yaml', which is not listed") }
      }
    }
    return (nil, findings)
  }
  let reading = readModel(yaml: data, file: shownPath, named: entry.name, among: files)
  let diagnostics = reading.diagnostics.map { finding in
    finding.with {
      $0.subject = finding.subject ?? ModelSubject()
      $0.subject?.version = entry.name
    }
  }
  guard let model = reading.model else { return (nil, diagnostics) }
  var version = ModelVersion(
    name: entry.name, model: model, predecessorNames: predecessors, origin: entry.author,
    sourceMap: reading.sourceMap, sharing: hashes)
  version.allowsInference = entry.allowsInference
  return (version, diagnostics)
}

/// Reads one file of a version on its own, and those beside it that it extends.
package func readVersionFile(at url: URL, shownAs path: String) throws(DiagnosticsError) -> ModelReading {
  let name = url.deletingPathExtension().lastPathComponent
  let files = VersionFiles(folder: ModelFolder(url.deletingLastPathComponent()), listed: nil)
  return readModel(yaml: try readFile(url, shownAs: path), file: path, named: name, among: files)
}
