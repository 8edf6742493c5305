package import Foundation
package import ManagedModel
import ModelArchives
package import SwiftDataModels

/// Reads a model wherever it comes from: a folder with a `versions.yaml`, one `.yaml` version, an `.xcdatamodeld`,
/// an `.xcdatamodel`, a `.momd` or a `.mom`, Swift source with SwiftData's models, an app with one model inside; on disk,
/// in a git revision, as `REV:path`, or in an `.ipa`.
///
/// A model of one file is one of one version, which is called like the file.
///
/// - Returns: no model where nothing of it can be read. With errors among the diagnostics it holds what could be read.
package func readModelSource(_ path: String) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  do {
    if let place = UnpackedPath(path) {
      var (model, diagnostics) = try place.read(readModelSource)
      model?.bundlePath = path
      return (model, diagnostics)
    }
    if ModelSourceKind(path) == .build { return try AppBuild(path).readOnlyModel() }
  } catch let error as DiagnosticsError {
    return (nil, error.diagnostics)
  } catch {
    return (nil, [.unreadableSource(path, error)])
  }
  guard let place = GitLocation(path) else { return readModelSource(at: URL(filePath: path)) }
  do throws(DiagnosticsError) {
    let read = try withCheckout(of: place) { readModelSource(at: $0, including: IncludeChain($1)) }
    return read ?? (nil, [place.nothingThere])
  } catch {
    return (nil, error.diagnostics)
  }
}

/// The same for a file or folder on disk.
package func readModelSource(at url: URL) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  readModelSource(at: url, including: IncludeChain())
}

func readModelSource(
  at url: URL, including chain: IncludeChain
) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  var reading = read(at: url, including: chain)
  if let path = chain.checkout?.modelPath(of: url) {
    reading.model?.rename(from: url, to: path)
  } else {
    reading.diagnostics += misplacedPackageSettings(near: url.relativePath)
  }
  return reading
}

private func read(
  at url: URL, including chain: IncludeChain
) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  switch ModelSourceKind(url.path) {
  case .xcodePackage?: return withSettings(beside: url, chain, readXcodeModelPackage(at: url))
  case .swiftFile?: return readSwift(at: url, chain)
  case .bundle?:
    do {
      var (model, diagnostics) = try readModelBundle(at: url)
      model.bundlePath = url.relativePath
      return (model, diagnostics)
    } catch let error as DiagnosticsError {
      return (nil, error.diagnostics)
    } catch {
      return (nil, [.unreadableSource(url.relativePath, error)])
    }
  case .versionFile?: return readSingleVersion(at: url)
  case .build?: return readModelSource(url.path)
  case nil where url.path.isSwiftSource: return readSwift(at: url, chain)
  case nil: return readVersionedModel(in: ModelFolder(url), including: chain)
  }
}

private func readSwift(
  at url: URL, _ chain: IncludeChain
) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  withSettings(beside: url, chain, SwiftReading.current.readSource(at: url))
}

extension VersionedModel {
  /// Reads a folder of YAML, or a package of Xcode's, as it is once some versions are gone and some files edited.
  ///
  /// - Parameter edited: contents by the paths that places show.
  package static func reading(
    at url: URL, without removed: Set<String>, edited: [String: Data]
  ) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
    if ModelSourceKind(url.path) == .xcodePackage {
      let package = readXcodeModelPackage(at: url, without: removed)
      return withSettings(beside: url, IncludeChain(), package, edited)
    }
    return readVersionedModel(in: ModelFolder(url, edited: edited, without: removed))
  }
}

/// A model of Apple's tools with what the `modelc.yaml` beside it says.
private func withSettings(
  beside url: URL, _ chain: IncludeChain, _ reading: (model: VersionedModel?, diagnostics: [Diagnostic]),
  _ edited: [String: Data] = [:]
) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  var (model, diagnostics) = reading
  let (settings, found) = readPackageSettings(beside: url, chain, edited: edited)
  diagnostics += found
  if let settings { diagnostics += model?.apply(settings, diagnostics) ?? [] }
  return (model, diagnostics)
}

private func readSingleVersion(at url: URL) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  let name = url.deletingPathExtension().lastPathComponent
  let reading: ModelReading
  do throws(DiagnosticsError) {
    reading = try readVersionFile(at: url, shownAs: url.relativePath)
  } catch {
    return (nil, error.diagnostics)
  }
  guard let model = reading.model else { return (nil, reading.diagnostics) }
  let version = ModelVersion(name: name, model: model, sourceMap: reading.sourceMap)
  let folder = url.deletingLastPathComponent().lastPathComponent
  return (VersionedModel(name: folder, versions: [version], currentVersionName: name), reading.diagnostics)
}

extension VersionedModel {
  /// Takes the name from the path that was asked for instead of the place where it was read.
  fileprivate mutating func rename(from url: URL, to path: String) {
    let old = url.deletingPathExtension().lastPathComponent
    let new = URL(filePath: path).deletingPathExtension().lastPathComponent
    if name == old { name = new }
    for index in versions.indices where versions[index].name == old { versions[index].name = new }
    if currentVersionName == old { currentVersionName = new }
  }
}

extension Diagnostic {
  fileprivate static func unreadableSource(_ file: String, _ error: any Error) -> Diagnostic {
    Diagnostic(.fileUnreadable, .error, "'\(file)' cannot be read: \(systemReason(of: error))")
  }
}

extension SwiftReading {
  /// What a command was told; of the task that reads, never of the whole process.
  @TaskLocal package static var current = SwiftReading()
}
