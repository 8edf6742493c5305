public import Foundation
public import ManagedModel

/// Reads a folder under `Models/`: its `versions.yaml` and the file of every version it lists.
///
/// The folder's name is the model's. Places show paths as the folder was given: relative ones stay relative.
///
/// - Returns: no model where `versions.yaml` cannot be used. With errors among the diagnostics the model holds the
///   versions that could be read, for further findings; nothing else may be done with it.
public func readVersionedModel(folder: URL) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  readVersionedModel(folder: folder, including: IncludeChain())
}

func readVersionedModel(
  folder: URL, including chain: IncludeChain
) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  let shownFolder = folder.relativePath.hasSuffix("/") ? folder.relativePath : folder.relativePath + "/"
  let listFile = shownFolder + versionListFileName
  let list: VersionList
  var diagnostics: [Diagnostic]
  do throws(DiagnosticsError) {
    let data = try readFile(folder.appending(path: versionListFileName), shownAs: listFile)
    let (read, found) = readVersionList(yaml: data, file: listFile)
    guard let read else { return (nil, found) }
    (list, diagnostics) = (read, found)
  } catch {
    return (nil, error.diagnostics)
  }
  let predecessors = list.predecessors
  var versions: [ModelVersion] = []
  for entry in list.versions {
    let (version, found) = readVersion(
      entry, in: folder, shownAs: shownFolder, after: predecessors[entry.name])
    diagnostics += found
    if let version { versions.append(version) }
  }
  let model = VersionedModel(
    name: folder.lastPathComponent, versions: versions, currentVersionName: list.current ?? "")
  let (merged, found) = merge(list.includes, into: model, folder: folder, chain)
  return (merged, (diagnostics + found).ordered)
}

/// The name of the file that lists the versions.
package let versionListFileName = "versions.yaml"

private func readVersion(
  _ entry: VersionEntry, in folder: URL, shownAs shownFolder: String, after predecessor: String?
) -> (version: ModelVersion?, diagnostics: [Diagnostic]) {
  let file = "\(entry.name).yaml"
  let reading: ModelReading
  do throws(DiagnosticsError) {
    let data = try readFile(folder.appending(path: file), shownAs: shownFolder + file)
    reading = readModel(yaml: data, file: shownFolder + file)
  } catch {
    return (nil, error.diagnostics.map { $0.withNote("listed here", place: entry.place) })
  }
  let diagnostics = reading.diagnostics.map { $0.ofVersion(entry.name) }
  guard let model = reading.model else { return (nil, diagnostics) }
  let version = ModelVersion(
    name: entry.name, model: model, predecessorName: predecessor, sourceMap: reading.sourceMap)
  return (version, diagnostics)
}

extension Diagnostic {
  fileprivate func withNote(_ message: String, place: SourceRange?) -> Diagnostic {
    var diagnostic = self
    diagnostic.notes.append(Note(message, place: place))
    return diagnostic
  }

  fileprivate func ofVersion(_ name: String) -> Diagnostic {
    var diagnostic = self
    diagnostic.subject = diagnostic.subject ?? ModelSubject()
    diagnostic.subject?.version = name
    return diagnostic
  }
}
