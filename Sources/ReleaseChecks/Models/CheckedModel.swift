package import ManagedModel
package import ModelLanguage
import ModelMapping
import ModelSources

/// A model of the project as `check` takes it.
package struct CheckedModel: Sendable {
  /// As the user named it.
  package var path: String
  package var model: VersionedModel
  /// What was found while it was read, and what the rules of a valid model say.
  package var diagnostics: [Diagnostic]
  /// Where its lock and its stores lie.
  package var places: ReleasePlaces
  package var lockText: String?
  /// Why the lock cannot be read.
  var lockFindings: [Diagnostic] = []
  package var mappings: MappingChecks
  /// Of SwiftData's source, which stores users have by the tags; nil where nobody looked.
  package var shipped: ShippedShapes?
  /// What stands beside a package of Xcode's, and in which file.
  package var settings: PackageSettings?
  package let settingsFile: String

  package init(
    path: String, model: VersionedModel, diagnostics: [Diagnostic], mappings: MappingChecks = MappingChecks()
  ) {
    self.path = path
    self.model = model
    // Of SwiftData's source its own rules say which schemas are one.
    let comparisons: Set<Diagnostic.Code> = [.hashEqualVersions, .hashModifierAlone, .sameVersionTwice]
    let kept = model.isSwiftData ? diagnostics.filter { !comparisons.contains($0.code) } : diagnostics
    self.diagnostics = kept + model.gateFindings
    self.mappings = mappings
    places = ReleasePlaces(modelAt: path)
    do throws(DiagnosticsError) {
      lockText = try places.lockText()
    } catch {
      lockFindings = error.diagnostics
    }
    let isPackage = ModelSourceKind(path) == .xcodePackage || isSwiftSource(path)
    (settings, settingsFile, _) = isPackage ? readPackageSettings(besidePackageAt: path) : (nil, "", [])
  }

  /// Versions that the lock lists and that are there, in the model's order.
  func released(_ lock: ReleaseLock?) -> [ModelVersion] {
    model.versions.filter { lock?.entry($0.name) != nil }
  }
}

/// The same model at the revision, or in the folder, that the check is against.
package struct BaseModel: Sendable {
  /// The revision or folder as the user named it.
  package var name: String
  /// Where the model lay, as a path on disk that need not exist any more.
  package var path: String
  /// The revision's commit; nil for a folder.
  package var commit: String?
  package var model: VersionedModel
  package var diagnostics: [Diagnostic]
  package var lockText: String?
  /// The mapping models of then, with the policies of today: a revision is not built.
  package var mappings = MappingChecks()
  /// Where this branch left the revision's, where that is neither of the two.
  package var ancestor: VersionedModel?
  /// Further stores of released versions.
  package var stores: [String] = []
  /// Whether all of it could be read: what could not, an include that leads out of the revision say, is no difference.
  var isWhole = true

  init(
    name: String, path: String, model: VersionedModel, diagnostics: [Diagnostic], lockText: String?,
    stores: [String] = []
  ) {
    (self.name, self.path, self.model) = (name, path, model)
    (self.diagnostics, self.lockText, self.stores) = (diagnostics, lockText, stores)
  }
}
