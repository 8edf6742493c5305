import Foundation
import ManagedModel
import ModelFormats

/// The models that a folder holds already, before `init` writes anything.
enum PresentModels: Hashable {
  case none
  /// In the models' folder, where every command finds them.
  case listed
  /// Xcode's packages, by their paths from the project's folder.
  case packages([String])
}

extension Project {
  /// What is in the models' folder, else Xcode's packages anywhere below the project's.
  func presentModels() -> PresentModels {
    let any = Project(folder: folder, modelsFolder: modelsFolder)
    let known = (try? any.modelPaths()) ?? []
    let isNamed = known == [modelsFolder]
    if !known.isEmpty, isNamed || known.allSatisfy({ $0.hasPrefix(modelsFolder + "/") }) { return .listed }
    let found = packages(below: folder) { $0.hasSuffix(".xcdatamodeld") }
    return found.isEmpty ? .none : .packages(found)
  }

  /// Xcode's mapping models anywhere below the project's folder, as paths that can be opened.
  func xcodeMappingModels() -> [String] {
    packages(below: folder) { $0.hasSuffix(".xcmappingmodel") }.map { join(folder, $0) }
  }
}

/// Folders of a project that hold other people's sources, or what was built.
private let foreignFolders: Set = [
  "Pods", "Carthage", "DerivedData", "Build", "build", "node_modules", "vendor",
]

/// The packages below a folder, by path from it. Hidden folders and other people's are passed over; where there is more than
/// any app has, only some of it is looked at.
private func packages(below folder: String, _ isWanted: (String) -> Bool) -> [String] {
  var found: [String] = []
  var level = [""]
  var looked = 0
  while !level.isEmpty, looked < 20_000, found.count < 100 {
    var next: [String] = []
    for place in level {
      looked += 1
      let here = place.isEmpty ? folder : join(folder, place)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: here)) ?? []
      for name in names.sorted() where !name.hasPrefix(".") && !foreignFolders.contains(name) {
        let path = place.isEmpty ? name : join(place, name)
        // A link may lead anywhere, and round in a circle.
        let type = try? FileManager.default.attributesOfItem(atPath: join(folder, path))[.type]
        guard type as? FileAttributeType == .typeDirectory else { continue }
        if isWanted(name) { found.append(path) } else { next.append(path) }
      }
    }
    level = next
  }
  return found
}
