import Foundation
package import ManagedModel

/// Reads the `modelc.yaml` beside a package.
///
/// - Parameter path: the package's, as the user named it.
/// - Returns: nil if absent, or it says nothing of this package.
package func readPackageSettings(
  besidePackageAt path: String
) -> (settings: PackageSettings?, file: String, diagnostics: [Diagnostic]) {
  let url = URL(filePath: path)
  let (settings, diagnostics) = readPackageSettings(beside: url, IncludeChain())
  return (settings, settingsURL(beside: url).relativePath, diagnostics)
}

/// - Parameters:
///   - chain: where the package is one of a revision, its checkout, to which the file is brought.
///   - edited: contents that take the place of those on disk.
func readPackageSettings(
  beside package: URL, _ chain: IncludeChain, edited: [String: Data] = [:]
) -> (settings: PackageSettings?, diagnostics: [Diagnostic]) {
  do throws(DiagnosticsError) {
    guard let url = try place(beside: package, chain) else { return (nil, []) }
    let data: Data
    if let known = edited[url.relativePath] {
      data = known
    } else {
      data = try readFile(url, shownAs: url.relativePath)
    }
    let file = readSettingsFile(data, file: url.relativePath)
    var (read, diagnostics) = (file.read, file.diagnostics)
    guard let read else { return (nil, diagnostics) }
    let name = package.deletingPathExtension().lastPathComponent
    if chain.checkout == nil { diagnostics += unknownModels(read, beside: package, url.relativePath) }
    return (settings(of: name, in: read), diagnostics.ordered)
  } catch {
    return (nil, error.diagnostics)
  }
}

/// Reads the text of a `modelc.yaml`.
func readSettingsFile(_ yaml: Data, file: String) -> (read: PackageSettingsFile?, diagnostics: [Diagnostic]) {
  let (node, reading) = LanguageReading.read(yaml, file: file)
  guard let node else { return (nil, reading.diagnostics) }
  var read = PackageSettingsFile()
  packageSettingsSchema.read(node, into: &read, about: ModelSubject(), reading)
  read.settings.list.versions = read.settings.list.versions.checked(node["versions"], reading)
  for index in read.models.indices {
    let list = node["models"]?[read.models[index].name]?["versions"]
    read.models[index].settings.list.versions = read.models[index].settings.list.versions.checked(
      list, reading)
  }
  return (read, reading.finished)
}

/// Its own under `models:`, else what the file says at its top.
private func settings(of name: String, in file: PackageSettingsFile) -> PackageSettings? {
  if let named = file.models.first(where: { $0.name == name }) { return named.settings }
  return file.settings == PackageSettings() ? nil : file.settings
}

private func place(beside package: URL, _ chain: IncludeChain) throws(DiagnosticsError) -> URL? {
  if let checkout = chain.checkout {
    return try checkout.unpackNeighbour(packageSettingsFileName, of: package)
  }
  let url = settingsURL(beside: package)
  return FileFacts(ofFileAt: url.path) == nil ? nil : url
}

private func settingsURL(beside package: URL) -> URL {
  var path = package.relativePath
  while path.count > 1, path.hasSuffix("/") { path.removeLast() }
  let folder = path.parentPath
  let name = folder.isEmpty ? packageSettingsFileName : "\(folder)/\(packageSettingsFileName)"
  return package.baseURL.map { URL(filePath: name, relativeTo: $0) } ?? URL(filePath: name)
}

/// Names under `models:` that no package beside the file has; and keys at the top that could be of any of several.
private func unknownModels(
  _ file: PackageSettingsFile, beside package: URL, _ shown: String
) -> [Diagnostic] {
  let folder = settingsURL(beside: package).deletingLastPathComponent().path
  let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
    ModelSourceKind($0) == .xcodePackage
  }
  let packages = names.map { ($0 as NSString).deletingPathExtension }.sorted()
  var found = file.models.filter { !packages.contains($0.name) }.map {
    Diagnostic.notThere(
      "package '\($0.name.abridged)' next to this file", $0.name, at: $0.place, among: packages)
  }
  let others = packages.filter { name in !file.models.contains { $0.name == name } }
  if file.settings != PackageSettings(), others.count > 1 {
    found.append(
      .settingsOfNothing, .error,
      "the file does not say which package it is about: there are \(others.joined(separator: ", "))",
      place: SourceRange(startOf: shown),
      help: ["write the keys below the package's name: 'models: {\(others[0]): {…}}'"])
  }
  return found
}

extension Diagnostic.Code {
  /// A `modelc.yaml` names what the package beside it does not have.
  package static let settingsOfNothing = Self("MC2111")
}

extension Diagnostic {
  /// - Parameter what: the thing in words.
  static func notThere(
    _ what: String, _ name: String, at place: SourceRange?, among names: [String]
  ) -> Diagnostic {
    Diagnostic(
      .settingsOfNothing, .error, "there is no \(what)", place: place,
      help: nearestName(to: name, among: names).map { ["did you mean '\($0.abridged)'?"] }
        ?? (names.isEmpty ? [] : ["there is \(names.joined(separator: ", ").abridged)"]))
  }
}
