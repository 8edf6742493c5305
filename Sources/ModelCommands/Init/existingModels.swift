import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

/// The models that a folder holds already, before `init` writes anything.
enum ExistingModels: Hashable {
  case none
  /// In the models' folder, where every command finds them.
  case listed
  /// Xcode's packages, by their paths from the project's folder.
  case packages([String])
}

extension Project {
  /// What is in the models' folder, else Xcode's packages anywhere below the project's.
  func presentModels() -> ExistingModels {
    let any = Project(folder: folder, modelsFolder: modelsFolder)
    let known = (try? any.modelPaths()) ?? []
    let isNamed = known == [modelsFolder]
    if !known.isEmpty, isNamed || known.allSatisfy({ $0.hasPrefix(modelsFolder + "/") }) { return .listed }
    let found = XcodeFiles(below: folder).packages
    return found.isEmpty ? .none : .packages(found.map { relative($0) })
  }

  /// A path below the project's folder, from there.
  private func relative(_ path: String) -> String {
    let start = join(folder, "")
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
  }
}
