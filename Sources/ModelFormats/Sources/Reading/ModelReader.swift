package import Foundation
package import ManagedModel
import ModelArchives
package import SwiftDataModels

/// Reads models wherever they come from: a folder with a `versions.yaml`, one `.yaml` version, an `.xcdatamodeld`,
/// an `.xcdatamodel`, a `.momd` or a `.mom`, Swift source with SwiftData's models, an app with one model inside; on disk,
/// in a git revision, as `REV:path`, or in an `.ipa`.
///
/// A model of one file is one of one version, which is called like the file. Where nothing can be read there is no model;
/// with errors among the diagnostics it holds what could be read.
package struct ModelReader: Hashable, Sendable {
  package typealias Reading = (model: VersionedModel?, diagnostics: [Diagnostic])

  /// How Swift source is read.
  package let swift: SwiftReading

  package init(_ swift: SwiftReading = SwiftReading()) { self.swift = swift }

  /// - Parameter path: as a user names it.
  package func read(_ path: String) -> Reading {
    do {
      if let place = UnpackedPath(path) {
        var (model, diagnostics) = try place.read(read(at:))
        model?.bundlePath = path
        return (model, diagnostics)
      }
      if ModelSourceKind(path) == .build { return read(try AppBuild(path).onlyModel()) }
    } catch {
      return (nil, Diagnostic.unreadable(path, error))
    }
    guard let place = GitLocation(path) else { return read(at: URL(filePath: path)) }
    do throws(DiagnosticsError) {
      return try read(place) ?? (nil, [place.nothingThere])
    } catch {
      return (nil, error.diagnostics)
    }
  }

  /// - Returns: nil if the revision has nothing there.
  package func read(_ place: GitLocation) throws(DiagnosticsError) -> Reading? {
    try withCheckout(of: place) { read(at: $0, including: IncludeChain($1)) }
  }

  /// - Parameter url: of a file or folder on disk.
  package func read(at url: URL) -> Reading { read(at: url, including: IncludeChain()) }

  /// Reads a model as it was in a git revision, with what it includes there.
  ///
  /// - Parameter path: on disk, as it is called today; it need not exist any more.
  /// - Returns: nil if the revision has nothing at the path.
  /// - Throws: as ``withRevision(_:of:_:)``.
  package func read(at path: String, in revision: String) throws(DiagnosticsError) -> Reading? {
    // Source may be a whole repository, with all that an app is made of.
    let isSwift = path.isSwiftSource
    return try withCheckout(
      of: revision.gitLocation(path),
      taking: { name, isFolder in
        !isSwift || (isFolder ? !name.isPassedOver : name.hasSuffix(".swift") || name == "modelc.yaml")
      }
    ) { url, checkout in
      read(at: url, including: IncludeChain(checkout))
    }
  }

  func read(at url: URL, including chain: IncludeChain) -> Reading {
    var reading = readAny(at: url, including: chain)
    if let path = chain.checkout?.modelPath(of: url) {
      reading.model?.rename(from: url, to: path)
    } else {
      let sources = (reading.model?.versions ?? []).compactMap(\.sourceMap?.file)
      reading.diagnostics += misplacedPackageSettings(near: url.relativePath, sources)
    }
    return reading
  }

  private func readAny(at url: URL, including chain: IncludeChain) -> Reading {
    switch ModelSourceKind(url.path) {
    case .xcodePackage?: return withSettings(beside: url, chain, readXcodeModelPackage(at: url))
    case .swiftFile?: return withSettings(beside: url, chain, swift.readSource(at: url))
    case .bundle?:
      do {
        var (model, diagnostics) = try readModelBundle(at: url)
        model.bundlePath = url.relativePath
        return (model, diagnostics)
      } catch {
        return (nil, Diagnostic.unreadable(url.relativePath, error))
      }
    case .versionFile?: return readSingleVersion(at: url)
    case .build?: return read(url.path)
    case nil where url.path.isSwiftSource: return withSettings(beside: url, chain, swift.readSource(at: url))
    case nil: return readVersionedModel(in: ModelFolder(url), including: chain, self)
    }
  }
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

  /// Takes the name from the path that was asked for instead of the place where it was read.
  fileprivate mutating func rename(from url: URL, to path: String) {
    let old = url.deletingPathExtension().lastPathComponent
    let new = URL(filePath: path).deletingPathExtension().lastPathComponent
    if name == old { name = new }
    for index in versions.indices where versions[index].name == old { versions[index].name = new }
    if currentVersionName == old { currentVersionName = new }
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
  do throws(DiagnosticsError) {
    let reading = try readVersionFile(at: url, shownAs: url.relativePath)
    guard let model = reading.model else { return (nil, reading.diagnostics) }
    let version = ModelVersion(name: name, model: model, sourceMap: reading.sourceMap)
    let folder = url.deletingLastPathComponent().lastPathComponent
    return (VersionedModel(name: folder, versions: [version], currentVersionName: name), reading.diagnostics)
  } catch {
    return (nil, error.diagnostics)
  }
}

extension Diagnostic {
  fileprivate static func unreadable(_ file: String, _ error: any Error) -> [Diagnostic] {
    (error as? DiagnosticsError)?.diagnostics
      ?? [Diagnostic(.fileUnreadable, .error, "'\(file)' cannot be read: \(systemReason(of: error))")]
  }
}
