package import ManagedModel
package import ModelFormats
import SwiftDataModels

/// A model of the project as `check` takes it.
package struct CheckedModel: Sendable {
  /// As the user named it.
  package var path: String
  package var model: VersionedModel
  /// The model's name; of a further model of that name where it lies in the app.
  package var name: String
  package let reader: ModelReader
  /// What was found while it was read, and what the rules of a valid model say.
  package var diagnostics: [Diagnostic]
  /// What is found in files around it, or of builds: that keeps no version from being looked at.
  var around: [Diagnostic] = []
  /// Where its lock and its stores lie.
  package var places: ReleasePlaces
  package var lockText: String? { didSet { lock = readLock() } }
  /// What its lock says, mistakes or not; nil if it has none.
  package private(set) var lock: ReleaseLock?
  /// Why the lock cannot be read.
  var lockFindings: [Diagnostic] = []
  package var mappings: ProjectMappings
  /// The same model where the check is against; nil if it was not there, or the check is against nothing.
  var base: BaseModel?
  /// Whether the check is against a model that this one was adopted from, or exported to.
  var hasFormer = false
  /// Whose mapping models are compared with, as far as nothing else has the steps; nil if its lock has no tag.
  var lastRelease: BaseModel?
  /// What a tag after those of the lock has released, and today's model does not have.
  var unlisted: ReleaseLock.Entry?
  /// Of SwiftData's source, which stores users have by the tags; nil if nobody looked.
  package var shipped: ShippedSchemas?
  /// What stands beside a package of Xcode's, and in which file.
  package var settings: PackageSettings?
  package let settingsFile: String

  init(
    path: String, model: VersionedModel, diagnostics: [Diagnostic],
    mappings: ProjectMappings = ProjectMappings(), reader: ModelReader = ModelReader()
  ) {
    (self.path, self.model, self.name, self.reader) = (path, model, model.name, reader)
    // Of SwiftData's source its own rules say which schemas are one.
    let kept = model.isSwiftData ? diagnostics.filter { !comparisons.contains($0.code) } : diagnostics
    self.diagnostics = model.unreadOnce(kept) + model.gateFindings
    if model.isOrderGuessed, ModelSourceKind(path) == .xcodePackage, let clone = path.cloneWithoutHistory {
      self.diagnostics.append(
        .lackingGitObject, .warning,
        "the versions' names do not show their order, and this \(clone) clone lacks git's history",
        place: SourceRange(startOf: path),
        notes: ["steps that no store passes may be checked, and real ones may be missed"],
        help: clone == "shallow" ? wholeHistoryHelp : ["`git fetch --refetch --no-filter`"])
    }
    self.mappings = mappings
    places = ReleasePlaces(modelAt: path)
    do throws(DiagnosticsError) {
      lockText = try places.lockText()
    } catch {
      lockFindings = error.diagnostics
    }
    let isPackage = ModelSourceKind(path) == .xcodePackage || path.isSwiftSource
    (settings, settingsFile, _) = isPackage ? readPackageSettings(besidePackageAt: path) : (nil, "", [])
    lock = readLock()
  }

  private func readLock() -> ReleaseLock? { lockText.map { readReleaseLock($0, file: places.lockFile).lock } }

  /// Whether it lies in an app: what was built is not edited.
  var isBuilt: Bool { AppBuild.isInside(path) }

  /// What a part of the check has found in the model.
  func step(
    _ kind: CheckStep.Kind, _ name: String, _ findings: [Diagnostic], seconds: Double = 0
  ) -> CheckStep {
    let step = CheckStep(kind: kind, model: self.name, name: name, findings: findings, seconds: seconds)
    // Of a further model of one name its place says which is meant.
    return self.name == model.name
      ? step : step.mapFindings { $0.place == nil ? $0.with { $0.place = SourceRange(startOf: path) } : $0 }
  }

  /// Versions that the lock lists and that are there, in the model's order.
  var released: [ModelVersion] { model.versions.filter { lock?.entry($0.name) != nil } }

  /// Errors that keep versions from being looked at; those of a service's rules do not.
  var readErrors: [Diagnostic] {
    let sure = model.gateFindings.filter { !Diagnostic.Code.ofUnsureSchema.contains($0.code) }
    return diagnostics.filter {
      $0.severity == .error && $0.code.accepted != .unmirrored && !sure.contains($0)
    }
  }

  /// The model without versions that have errors, so that one of them does not keep the others from being checked.
  ///
  /// - Returns: nil if the current one has errors, or the model as a whole: what does not compile cannot be mapped.
  var readable: VersionedModel? {
    guard model.currentVersion != nil else { return nil }
    let files = VersionFiles(of: model)
    var broken: Set<String> = []
    for error in readErrors {
      if let unread = model.unreadVersions.first(where: { $0.explains(error) }) {
        if unread.isCurrent { return nil }
      } else if let name = files.version(of: error), name != model.currentVersionName {
        broken.insert(name)
      } else {
        return nil
      }
    }
    var readable = model
    readable.versions.removeAll { broken.contains($0.name) }
    // A step that a list names is not led round the version that is missing.
    let names = readable.versions.flatMap(\.predecessorNames)
    return names.allSatisfy { readable.version(named: $0) != nil } ? readable : nil
  }
}

extension VersionedModel {
  /// What was found while the model was read, one finding for each version that could not be.
  ///
  /// Xcode builds apps with old versions in the format from before Xcode 4: that such a version cannot be looked at is
  /// no fault of the app.
  fileprivate func unreadOnce(_ found: [Diagnostic]) -> [Diagnostic] {
    let isCurrent = unreadVersions.contains(where: \.isCurrent)
    return found.compactMap { finding -> Diagnostic? in
      if isCurrent, finding.code == .unknownXcodeCurrentVersion { return nil }
      guard let unread = unreadVersions.first(where: { $0.explains(finding) }) else { return finding }
      return finding.with {
        if unread.isCurrent {
          $0.notes.append("'\(unread.name)' is the current version: nothing is checked until it can be read")
        } else if finding.code == .modelBeforeXcode4 {
          $0.severity = .warning
          $0.notes = ["stores of '\(unread.name)' are not checked; all other versions are"]
        }
      }
    }
  }
}

extension ModelVersion {
  /// Itself as another reading of its model has it, which may call it otherwise.
  func counterpart(in model: VersionedModel) -> ModelVersion? {
    model.version(named: name) ?? model.versions.first { $0.makesStores(of: self) }
  }
}

/// The same model at the revision, or in the folder, that the check is against.
package struct BaseModel: Sendable {
  /// The revision or folder as the user named it.
  package var name: String
  /// Whether it is a folder of released models and stores, or an app.
  var isFolder = false
  /// Where the model lay, as a path on disk that need not exist any more.
  package var path: String
  /// The revision's commit; nil for a folder.
  package var commit: String?
  package var model: VersionedModel
  package var diagnostics: [Diagnostic]
  package var lockText: String?
  /// The mapping models of then, with the policies of today: a revision is not built.
  package var mappings = ProjectMappings()
  /// Where this branch left the revision's, where that is neither of the two: one at most, in a list because a struct holds
  /// none of its own.
  var forks: [BaseModel] = []
  /// Whether it is a tag beside today's branch: users have all of it, whatever the branch has got since it left.
  var isTag = false
  package var ancestor: VersionedModel? { forks.first { !$0.model.versions.isEmpty }?.model }
  /// Further stores of released versions.
  package var stores: [String] = []
  /// Whether a problem of the model as a whole, an include that leads out of the revision say, leaves all of its versions
  /// incomplete: what could not be read is not a difference.
  var isWhole: Bool {
    if model.versions.isEmpty { return false }
    let files = Set(model.versions.filter { $0.origin == .xcode }.compactMap(\.sourceMap?.file))
    return diagnostics.allSatisfy { finding in
      finding.severity < .error || finding.code == .unknownXcodeCurrentVersion
        || model.unreadVersions.contains { $0.explains(finding) }
        || finding.place.map { files.contains($0.file) } ?? false
    }
  }

  /// Whether a version could be read without errors.
  func isSound(_ version: ModelVersion) -> Bool {
    !diagnostics.contains { $0.severity == .error && $0.place?.file == version.sourceMap?.file }
  }
}

/// Findings about every version, and about the versions compared with each other, at their places.
///
/// - Parameters:
///   - reading: findings of the reader. Versions with errors are not compared with others.
///   - minimum: the least severity that is wanted. Remarks are many and are not made unasked.
package func checkVersions(
  _ model: VersionedModel, reading: [Diagnostic], minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  let unread = Set(reading.filter { $0.severity == .error }.compactMap { $0.place?.file })
  return checkVersions(model, minimum: minimum).filter { finding in
    !comparisons.contains(finding.code) || !unread.contains(finding.place?.file ?? "")
  }
}

extension VersionedModel {
  /// What was found while it was read, and what the rules of a valid model say.
  package func findings(reading diagnostics: [Diagnostic]) -> [Diagnostic] {
    (diagnostics + checkVersions(self, reading: diagnostics)).ordered
  }
}

/// Codes of findings about several versions.
private let comparisons: Set<Diagnostic.Code> = [.hashEqualVersions, .hashModifierAlone, .sameVersionTwice]
