import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

/// A policy that a project's mapping models name, and its stub in Swift.
struct NamedPolicy: Hashable {
  /// As a mapping names it, with its module where it was written so.
  var name: String
  /// The entity mappings that name it, each with its step: `HutToHut from V1 to V2`.
  var uses: [String]

  /// The class of the stub: the name without its module, with underscores for what Swift takes in no name.
  var className: String {
    let bare = name.split(separator: ".").last.map(String.init) ?? name
    let legal = bare.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
    return legal.first?.isNumber == true ? "_" + String(legal) : String(legal)
  }

  /// A file with a class that is not ported yet, and says so when it is asked.
  var stub: String {
    let bare = name.split(separator: ".").last.map(String.init) ?? name
    let other = "\n  override class var policyName: String { \(swiftLiteral(bare)) }\n"
    return "policy.swift.txt".filledFile([
      "uses": uses.map(\.visible).joined(separator: ", "), "class": className,
      "other": bare == className ? "" : other,
    ])
  }
}

extension Project {
  /// The policies that the files under `Migrations/` and Xcode's mapping models name, by class name, each once.
  func namedPolicies() -> [NamedPolicy] {
    var found: [String: NamedPolicy] = [:]
    for model in customMappingModels() {
      for mapping in model.entityMappings {
        guard let name = mapping.policyName else { continue }
        var policy = NamedPolicy(name: name, uses: [])
        policy = found[policy.className] ?? policy
        let use = "\(mapping.name) from \(model.sourceVersionName) to \(model.destinationVersionName)"
        // A mapping model that was adopted is there twice.
        if !policy.uses.contains(use) { policy.uses.append(use) }
        found[policy.className] = policy
      }
    }
    return found.values.sorted { $0.className < $1.className }
  }

  /// Those that can be read; what is wrong with the others `check` and `adopt` tell.
  private func customMappingModels() -> [CustomMappingModel] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: migrationsFolder)) ?? []
    let written = folders.sorted().flatMap(mappingFiles(ofModel:)).flatMap { file in
      (try? readFile(URL(filePath: file), shownAs: file)).map {
        readMappingFile(yaml: $0, file: file).mappingModels.flatMap(\.bothDirections)
      } ?? []
    }
    return written
      + XcodeFiles(below: folder).mappingModels.compactMap {
        try? readXcodeMappingModel(at: URL(filePath: $0)).mappingModel
      }
  }
}
