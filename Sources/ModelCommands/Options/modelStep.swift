import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

extension Project {
  /// The one model that has both versions.
  ///
  /// - Parameter isOfAny: whether several may have them; then it is the first.
  func step(
    from source: String, to destination: String, among models: [VersionedModel]? = nil, isOfAny: Bool = false
  ) throws -> (model: VersionedModel, from: ModelVersion, to: ModelVersion) {
    let models = try models ?? readSoundModels()
    let found = (source == destination ? [] : models).compactMap { model in
      model.version(named: source).flatMap { from in
        model.version(named: destination).map { (model: model, from: from, to: $0) }
      }
    }
    if let first = found.first, isOfAny || found.count == 1 { return first }
    if !found.isEmpty {
      let shown = try distinctNames(found.map(\.model.name))
      throw UsageError(
        .severalModels,
        "'\(source)-\(destination)' is a step of \(counted(shown.count, "model")): \(shown.listed)",
        help: shown.prefix(3).map { "name one with `--model \($0.shellWord)`" })
    }
    let known = models.flatMap { $0.versions.map(\.name) }
    let missing = [source, destination].first { !known.contains($0) }
    throw UsageError(
      missing.map { .noVersion($0, known: known) } ?? .noStep("\(source)-\(destination)", known))
  }

  /// As `--model` takes them: models of one name are told apart by their paths.
  private func distinctNames(_ names: [String]) throws -> [String] {
    guard Set(names).count < names.count else { return names }
    let paths = try modelPaths().filter {
      names.contains(URL(filePath: $0).deletingPathExtension().lastPathComponent)
    }
    return paths.isEmpty ? names : paths
  }

  /// A model's current version, the version of that name, or a step's two; each as `compile` takes it.
  func versionOrStep(_ argument: String?) throws -> (from: NamedVersion?, to: NamedVersion) {
    let found: (from: NamedVersion?, to: NamedVersion)
    do {
      let named = try argument.map { try currentVersion(ofModelNamed: $0) ?? findVersion($0) }
      found = (nil, try named ?? currentVersion())
    } catch {
      guard let argument, let step = step(named: argument) else { throw error }
      found = step
    }
    for version in [found.from, found.to] { try version?.requireSound() }
    return found
  }

  /// Nil if no model has the name.
  func currentVersion(ofModelNamed name: String) throws -> NamedVersion? {
    guard let models = try? readModels().models, models.contains(where: { $0.name == name }) else {
      return nil
    }
    return try of(modelNamed: name).currentVersion()
  }

  /// The current version of its only model.
  func currentVersion() throws -> NamedVersion {
    let (models, diagnostics) = try readModels()
    guard models.count == 1, let model = models.first, let current = model.currentVersion else {
      if diagnostics.hasErrors { throw DiagnosticsError(diagnostics) }
      if models.count > 1 { throw try DiagnosticsError(.whichModel(distinctNames(models.map(\.name)))) }
      throw DiagnosticsError(
        .noCurrentVersion, "the project has no current version",
        help: ["name a model's file or folder, or a project with `-C`"])
    }
    let label = "\(model.name) \(current.name)"
    return NamedVersion(current, of: model, label: label, isChosen: false, diagnostics)
  }

  /// Two versions with a hyphen between them.
  private func step(named argument: String) -> (from: NamedVersion, to: NamedVersion)? {
    for hyphen in argument.indices where argument[hyphen] == "-" {
      let (old, new) = (argument[..<hyphen], argument[argument.index(after: hyphen)...])
      if let from = try? findVersion(String(old)), let to = try? findVersion(String(new)) {
        return (from, to)
      }
    }
    return nil
  }
}

extension Diagnostic {
  static func noStep(_ step: String, _ known: [String]) -> Self {
    Self(
      .noCurrentVersion, .error, "'\(step)' is not a step from one version of a model to another",
      notes: [Note("versions: \(known.listed)")], help: ["name two versions of a model, the older one first"])
  }

  static func noVersion(_ name: String, known: [String]) -> Self {
    Self(
      .noCurrentVersion, .error, "there is no version '\(name)'",
      notes: known.isEmpty ? [] : [Note("versions: \(known.listed)")], help: .didYouMean(name, among: known))
  }

  /// - Parameter paths: of the models, as `--model` takes them.
  static func whichModel(_ paths: [String]) -> Self {
    Self(
      .severalModels, .error, "the project has \(counted(paths.count, "model")), and this command is for one",
      notes: ["models: \(paths.joined(separator: ", "))"],
      help: ["name one: `--model \((paths.first ?? "NAME").shellWord)`"])
  }
}
