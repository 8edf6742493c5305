import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import ReleaseChecks

extension Project {
  /// The models of a project, its mapping models, settings and releases.
  func projectChecks() -> [DoctorCheck] {
    var check = DoctorCheck("models")
    let paths: [String]
    do {
      paths = try modelPaths()
    } catch {
      check.maskedSummary = ""
      check.complain(
        .warning, "no model found",
        error.diagnostics.first?.help.first ?? "name the project with -C, or its models with --models")
      return [check]
    }
    let (models, errors, setAside) = (try? readModelsForStores()) ?? (models: [], errors: [], setAside: [])
    let versions = models.map(\.versions.count).reduce(0, +)
    check.maskedSummary = "\(counted(models.count, "model")), \(counted(versions, "version"))"
    check.summary =
      models.count == 1
      ? "\(models[0].name): \(counted(versions, "version")), current \(models[0].currentVersionName)"
      : check.maskedSummary ?? ""
    let entities = Set(models.flatMap { $0.currentVersion?.model.entities.map(\.name) ?? [] })
    check.add(
      [
        "models": JSONValue(models.map(\.name)), "current": JSONValue(models.map(\.currentVersionName)),
        "paths": JSONValue(paths), "entities": JSONValue(entities.sorted()),
      ], isPrivate: true)
    let kinds = Set(paths.map { ModelSourceKind($0).map { "\($0)" } ?? "yaml" })
    check.add(["kinds": JSONValue(kinds.sorted()), "versions": JSONValue(versions)])
    if !errors.isEmpty {
      check.complain(
        .problem, counted(errors.count, "error"),
        "`modelc compile` lists them; no store migrates until then")
    }
    if !setAside.isEmpty {
      check.complain(
        .warning, "\(counted(setAside.count, "error")) in versions that are set aside",
        "`modelc compile` lists them")
    }
    return [
      check, mappingCheck(self, models), settingsCheck(paths), releaseCheck(paths),
    ] + buildCheck(self, models)
  }
}

private func mappingCheck(_ project: Project, _ models: [VersionedModel]) -> DoctorCheck {
  let mappings = project.readMappings(for: models)
  let count = mappings.custom.mappingModels.values.map(\.count).reduce(0, +)
  let errors = mappings.diagnostics.filter { $0.severity == .error }
  var check = DoctorCheck(
    "mappings", count == 0 ? "none: all is inferred" : counted(count, "mapping model"),
    ["mappingModels": JSONValue(count)])
  if !errors.isEmpty {
    check.complain(
      .problem, counted(errors.count, "error"), "`modelc compile` lists them; no store migrates until then")
  }
  return check
}

/// Of packages of Xcode's that lie near a project.
private func buildCheck(_ project: Project, _ models: [VersionedModel]) -> [DoctorCheck] {
  let packages = models.compactMap { model in model.packagePath.map { (model, $0) } }
  guard let phases = packages.first.map({ BuildPhases(around: $0.1) }),
    phases.hasProjects || !phases.diagnostics.isEmpty
  else { return [] }
  let targets = packages.flatMap { phases.targetNames(with: $0.1) }
  var check = DoctorCheck("app", targets.isEmpty ? "" : "in \(targets.listed)")
  check.maskedSummary = targets.isEmpty ? "" : "in \(counted(targets.count, "target"))"
  check.add(["targets": JSONValue(targets)], isPrivate: true)
  for (group, apps, extensions) in packages.flatMap({ phases.sharing($0.1) }) {
    let members = apps + extensions
    check.summary += "; \(members.listed) share \(group)"
    check.maskedSummary = check.maskedSummary.map { $0 + "; \(members.count) of them share an app group" }
    // Two apps may be two programs of a store, or one for each of two systems: nobody knows which opens it first.
    guard apps.count == 1, !extensions.isEmpty else { continue }
    check.advice.append(
      "let only \(apps[0]) migrate what is in \(group), and open it elsewhere without automatic migration (AppsAndContainers)"
    )
  }
  let found = packages.flatMap { model, path in
    phases.check(package: path, mappingModels: project.mappingModels(of: model))
  }
  for finding in phases.diagnostics + found {
    check.complain(.warning, finding.message, finding.help.first ?? "")
  }
  return [check]
}

private func settingsCheck(_ paths: [String]) -> DoctorCheck {
  let packages = paths.filter { ModelSourceKind($0) == .xcodePackage }
  let present = packages.map { join($0.parentPath, packageSettingsFileName) }
    .filter(FileManager.default.fileExists)
  var check = DoctorCheck(
    "settings",
    present.isEmpty
      ? "no \(packageSettingsFileName)\(packages.isEmpty ? ", as Xcode has no part here" : " next to Xcode's model")"
      : "\(packageSettingsFileName) next to \(packages.count == 1 ? "Xcode's model" : "Xcode's models")",
    ["present": .boolean(!present.isEmpty)])
  check.add(["paths": JSONValue(present)], isPrivate: true)
  return check
}

private func releaseCheck(_ paths: [String]) -> DoctorCheck {
  var (entries, locks, flaws) = (0, 0, 0)
  for path in paths {
    let places = ReleasePlaces(modelAt: path)
    // One that cannot be read is not a lock that `release` wrote.
    guard let text = (try? places.lockText()) ?? (FileFacts(ofFileAt: places.lockFile) == nil ? nil : "?")
    else { continue }
    let (lock, diagnostics) = readReleaseLock(text, file: places.lockFile)
    locks += 1
    entries += lock.entries.count
    flaws += diagnostics.hasErrors ? 1 : 0
  }
  var check = DoctorCheck(
    "released",
    locks == 0
      ? "no lock: once a version is released, `modelc release` makes one"
      : "\(counted(entries, "version")) in \(locks == 1 ? "the lock" : "\(locks) locks")",
    ["locks": JSONValue(locks), "versions": JSONValue(entries)])
  if flaws > 0 {
    check.complain(.warning, "a lock cannot be read", "`modelc check` says what is wrong in it")
  }
  return check
}
