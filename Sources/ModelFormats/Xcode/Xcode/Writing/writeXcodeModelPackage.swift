package import Foundation
package import ManagedModel
import ModelArchives

extension VersionedModel {
  /// Writes a model as an `.xcdatamodeld` with all its versions, or one version as an `.xcdatamodel`.
  ///
  /// Existing files with the same content stay, so that git shows only what was edited. The folder is written beside its
  /// place and moved there whole. No version goes: a package with others than the model's is refused.
  ///
  /// - Parameters:
  ///   - url: where the package shall be; its name ends in `.xcdatamodeld` or `.xcdatamodel`.
  ///   - keepsOthers: whether versions of the package that the model does not have are its own affair, as is the current
  ///     one, which is written down where the package had no other.
  /// - Returns: what Xcode's XML cannot say of the model (MC0209).
  /// - Throws: `DiagnosticsError` with MC0209 (no XML), MC2107 (a version's name), MC2205 (the place) or MC2206 (the disk).
  package func writeXcodePackage(to url: URL, keepsOthers: Bool = false) throws -> [Diagnostic] {
    try requireFileNames()
    try requirePlace(for: self, at: url)
    let isPackage = url.pathExtension == "xcdatamodeld"
    let present = isPackage && !keepsOthers && exists(url) ? readXcodeModelPackage(at: url).model : nil
    if isPackage, !keepsOthers { try requireNoOthers(than: self, in: present, at: url) }
    var findings = (isPackage ? checkOrder(of: self, at: url) : []) + checkRetired(of: self, at: url)
    var files: [(path: String, content: Data)] = []
    for version in versions {
      let path = (isPackage ? version.name + ".xcdatamodel/" : "") + "contents"
      let present = try? readFile(url.appending(path: path), shownAs: path)
      let (contents, diagnostics) = version.model.rewritten(over: present)
      findings += diagnostics.map { $0.of(version) }
      if contents != present { files.append((path, contents)) }
    }
    if findings.hasErrors { throw DiagnosticsError(findings.ordered) }
    let current =
      keepsOthers
      ? onlyVersion(at: url)
      : needsCurrentVersion(self, insteadOf: present, at: url) ? currentVersionName : nil
    if isPackage, let current, !keepsOthers || versions.contains(where: { $0.name != current }) {
      files.append((currentVersionFile, Data(currentVersionList(current).utf8)))
    }
    if files.isEmpty { return findings.ordered }
    do {
      try write(files, to: url)
    } catch {
      throw DiagnosticsError(.unwritableBundle(url.relativePath, error))
    }
    return findings.ordered
  }
}

/// Whether the file that names the current version has to be written: it says another one, or there is none and the
/// package is not taken as it is meant without. A package of one version does without.
private func needsCurrentVersion(
  _ model: VersionedModel, insteadOf present: VersionedModel?, at url: URL
) -> Bool {
  let isThere = exists(url.appending(path: currentVersionFile))
  guard isThere || model.versions.count > 1 else { return false }
  guard let present else { return true }
  return present.currentVersionName != model.currentVersionName
    || Set(present.versions.map(\.name)) != Set(model.versions.map(\.name))
}

/// The version of a package that has one, and no file that names it: it stays the current one beside another version.
private func onlyVersion(at url: URL) -> String? {
  let names = versionFolders(in: url).map { $0.deletingPathExtension().lastPathComponent }
  let (named, flaw) = currentVersionName(of: url, among: names)
  return named == nil && flaw == nil && names.count == 1 ? names.first : nil
}

private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

private func requirePlace(for model: VersionedModel, at url: URL) throws(DiagnosticsError) {
  switch url.pathExtension {
  case "xcdatamodeld": break
  case "xcdatamodel":
    if model.versions.count > 1 {
      throw DiagnosticsError(
        .noBundlePlace,
        "'\(url.relativePath)' can contain one version, not the \(model.versions.count) of '\(model.name)'",
        help: ["name a version to export, or a place that ends in '.xcdatamodeld'"])
    }
  default:
    throw DiagnosticsError(
      .noBundlePlace, "'\(url.relativePath)' is not a valid name for an Xcode model",
      help: ["give it a name that ends in '.xcdatamodeld', or '.xcdatamodel' for one version"])
  }
  let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
  let isOfXcode = names?.allSatisfy { name in
    name.hasPrefix(".")
      || (url.pathExtension == "xcdatamodel"
        ? ["contents", "elements", "layout"].contains(name) : name.hasSuffix(".xcdatamodel"))
  }
  guard isOfXcode ?? !exists(url) else {
    throw DiagnosticsError(.occupiedPlace(url.relativePath, of: "an Xcode model"))
  }
}

/// Versions of the package that the model does not have, readable or not: added in Xcode, say, or by another branch.
private func requireNoOthers(
  than model: VersionedModel, in present: VersionedModel?, at url: URL
) throws(DiagnosticsError) {
  // Stores of one with the same hashes are recognised by either name.
  let others = versionFolders(in: url).map { $0.deletingPathExtension().lastPathComponent }
    .filter { name in
      let checksum = present?.version(named: name)?.versionChecksum
      return !model.versions.contains { $0.name == name || $0.versionChecksum == checksum }
    }
  guard let name = others.first else { return }
  let (path, count) = (url.relativePath, others.count)
  let first = "\(path)/\(name).xcdatamodel".shellWord
  let isYAML = model.versions.allSatisfy { $0.sourceMap?.file.hasSuffix(".yaml") == true }
  throw DiagnosticsError(
    .noBundlePlace,
    "'\(path)' has \(count) version\(count == 1 ? "" : "s") that '\(model.name)' does not have: \(others.listed)",
    notes: [
      "nothing was written: the package would no longer have them, and their stores could not be migrated"
    ],
    help: (isYAML ? ["`modelc adopt \(first) --into \(model.name.shellWord)` brings it in"] : [])
      + ["if no store has it: `rm -r \(first)`"])
}

/// Copies what is there, puts the files in, and moves the whole to its place.
private func write(_ files: [(path: String, content: Data)], to url: URL) throws {
  let manager = FileManager.default
  try replaceFolder(at: url) { side in
    if exists(url) {
      try manager.copyItem(at: url, to: side)
    } else {
      try manager.createDirectory(at: side, withIntermediateDirectories: true)
    }
    for (path, content) in files {
      let file = side.appending(path: path)
      let folder = file.deletingLastPathComponent()
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      if path.hasSuffix("contents"), !exists(file) {
        // The binary form from before Xcode 4, which would stand beside the new one.
        for name in ["elements", "layout"] { try? manager.removeItem(at: folder.appending(path: name)) }
      }
      try content.write(to: file)
    }
  }
}

/// A property list as Xcode writes it, tabs and all.
private func currentVersionList(_ name: String) -> String {
  let folder = "\(name).xcdatamodel".xmlText
  return """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>_XCCurrentVersionName</key>
    \t<string>\(folder)</string>
    </dict>
    </plist>

    """
}

/// A package has no order of its own: it is read in the one that its versions tell, each after the one before it.
private func checkOrder(of model: VersionedModel, at url: URL) -> [Diagnostic] {
  let names = model.versions.map(\.name)
  let branches = zip(model.versions.dropFirst(), names).filter { version, previous in
    !version.predecessorNames.isEmpty && version.predecessorNames != [previous]
  }
  var findings = branches.map { Diagnostic.inexpressibleBranch($0.0) }
  let read = VersionOrder(of: model.versions, at: url.path).versions.map(\.name)
  if names != read {
    findings.append(
      .notInXcodeModel, .warning, "an '.xcdatamodeld' cannot express the order of the versions",
      notes: [
        "here: \(names.joined(separator: ", "))",
        "as the package is read: \(read.joined(separator: ", "))",
      ], help: ["choose version names that sort in this order"])
  }
  return findings
}

/// What is retired stands beside a package, and is not written there.
private func checkRetired(of model: VersionedModel, at url: URL) -> [Diagnostic] {
  var seen = Set(readPackageSettings(besidePackageAt: url.path).settings?.retired.map(\.name) ?? [])
  let names = model.versions.flatMap(\.retired).filter { seen.insert($0).inserted }
  if names.isEmpty { return [] }
  return [Diagnostic](
    .notInXcodeModel, .warning, "an '.xcdatamodel' cannot express retired names: \(names.listed)",
    notes: ["a migration to the package's versions then refuses to drop their data"],
    help: ["list them in a modelc.yaml next to the package: `retired: [\(names.joined(separator: ", "))]`"])
}

extension Diagnostic {
  fileprivate func of(_ version: ModelVersion) -> Diagnostic {
    var diagnostic = self
    diagnostic.subject = diagnostic.subject ?? ModelSubject()
    diagnostic.subject?.version = version.name
    return version.sourceMap.map { diagnostic.located(by: $0) } ?? diagnostic
  }

  fileprivate static func inexpressibleBranch(_ version: ModelVersion) -> Diagnostic {
    Diagnostic(
      .notInXcodeModel, .warning,
      "an '.xcdatamodeld' cannot express that '\(version.name)' follows \(version.predecessorNames.map { "'\($0)'" }.joined(separator: " and "))",
      subject: ModelSubject(version: version.name),
      notes: ["a package is read as a single line of versions, in the order of their names"],
      help: ["keep the order of versions in 'versions.yaml'"])
  }
}
