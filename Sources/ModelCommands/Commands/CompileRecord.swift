import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats

/// What a compile read, wrote and said, kept beside the bundle: where all of it is still so, compiling again would
/// yield the same bytes and the same findings, and there is nothing to do.
///
/// Sources and bundle are compared by content; only modelc itself is taken for the same by its file's number, size
/// and time. Whatever cannot be compared counts as changed.
struct CompileRecord: Hashable {
  /// The model's folder as the user wrote it, because findings show it.
  var folder: String
  var tool: String
  var sources: String
  var bundle: String
  /// The findings as they are shown without and with colours.
  var findings: String
  var coloredFindings: String
  /// The rows that say what was compiled.
  var table: String
  var versionCount: String

  /// The record of the model in its present state, before anything was said about it; nil where its files cannot be
  /// compared.
  init?(folder: String, bundle path: String) {
    guard let tool = toolIdentity(), let sources = digest(ofSourcesIn: folder),
      let bundle = digest(of: path, fileNames(in: path))
    else { return nil }
    self.init(
      folder: folder, tool: tool, sources: sources, bundle: bundle, findings: "", coloredFindings: "",
      table: "",
      versionCount: "")
  }

  private init(
    folder: String, tool: String, sources: String, bundle: String, findings: String, coloredFindings: String,
    table: String, versionCount: String
  ) {
    self.folder = folder
    self.tool = tool
    self.sources = sources
    self.bundle = bundle
    self.findings = findings
    self.coloredFindings = coloredFindings
    self.table = table
    self.versionCount = versionCount
  }

  /// Whether both tell of the same files.
  func isOfSameState(as other: CompileRecord) -> Bool {
    (folder, tool, sources, bundle) == (other.folder, other.tool, other.sources, other.bundle)
  }
}

/// On disk: a hidden property list beside the bundle.
extension CompileRecord {
  private static func path(ofBundle path: String) -> String {
    let url = URL(filePath: path)
    return url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).record").path
  }

  /// The record that the last compile left, if everything is still as it says.
  static func stillTrue(folder: String, bundle path: String) -> CompileRecord? {
    guard let data = content(ofFileAt: self.path(ofBundle: path)),
      let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        as? [String: String],
      let kept = CompileRecord(list), let present = CompileRecord(folder: folder, bundle: path),
      kept.isOfSameState(as: present)
    else { return nil }
    return kept
  }

  private init?(_ list: [String: String]) {
    guard list["format"] == "1", let folder = list["folder"], let tool = list["tool"],
      let sources = list["sources"], let bundle = list["bundle"], let findings = list["findings"],
      let coloredFindings = list["coloredFindings"], let table = list["table"],
      let versionCount = list["versionCount"]
    else { return nil }
    self.init(
      folder: folder, tool: tool, sources: sources, bundle: bundle, findings: findings,
      coloredFindings: coloredFindings, table: table, versionCount: versionCount)
  }

  /// A record that cannot be written is missed by the next compile's speed only.
  func write(besideBundle path: String) {
    let list = [
      "format": "1", "folder": folder, "tool": tool, "sources": sources, "bundle": bundle,
      "findings": findings,
      "coloredFindings": coloredFindings, "table": table, "versionCount": versionCount,
    ]
    let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    try? data?.write(to: URL(filePath: Self.path(ofBundle: path)), options: .atomic)
  }
}

/// The running program's file.
private func toolIdentity() -> String? {
  #if os(Linux)
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  #else
    let path = Bundle.main.executablePath
  #endif
  guard let path, let attributes = try? FileManager.default.attributesOfItem(atPath: path),
    let number = attributes[.systemFileNumber] as? NSNumber, let size = attributes[.size] as? NSNumber,
    let date = attributes[.modificationDate] as? Date
  else { return nil }
  return "\(ModelcCommand.configuration.version) \(number) \(size) \(date.timeIntervalSinceReferenceDate)"
}

/// Every YAML file of the folder, also of its subfolders: more than a compile reads, never less.
private func digest(ofSourcesIn folder: String) -> String? {
  guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder) else { return nil }
  return digest(of: folder, names.filter { $0.hasSuffix(".yaml") })
}

private func fileNames(in folder: String) -> [String] {
  (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
}

/// Nil where there are no files, or one of them cannot be read.
private func digest(of folder: String, _ names: [String]) -> String? {
  guard !names.isEmpty else { return nil }
  var digest = ContentDigest()
  for name in names.sorted() {
    guard let content = content(ofFileAt: join(folder, name)) else { return nil }
    digest.add(name, content)
  }
  return digest.hexadecimal
}

/// Nothing but a regular file of a size that a model can have is opened, so that no pipe can stall us.
private func content(ofFileAt path: String) -> Data? {
  let url = URL(filePath: path)
  let target = url.resolvingSymlinksInPath().path
  guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
    attributes[.type] as? FileAttributeType == .typeRegular,
    let size = attributes[.size] as? NSNumber, size.intValue <= 256 << 20
  else { return nil }
  return try? Data(contentsOf: url)
}
