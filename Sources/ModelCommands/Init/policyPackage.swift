import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

/// Where a package for policies gets modelc from.
struct ModelcDependency: Hashable {
  /// As `Package.swift` says it.
  let text: String
  /// The name by which its products are asked for.
  let identity: String

  /// - Parameter modelc: the path or the URL of modelc's package.
  /// - Returns: nil if a path leads to no such package.
  init?(at modelc: String) {
    if modelc.contains("://") || modelc.hasPrefix("git@") {
      self.init(url: modelc, "branch: \"main\"")
      return
    }
    let path = URL(filePath: modelc).standardizedFileURL.path
    let manifest = try? readFile(URL(filePath: join(path, "Package.swift")), shownAs: modelc)
    guard let manifest, String(decoding: manifest, as: UTF8.self).contains("name: \"modelc\"") else {
      return nil
    }
    self.init(text: ".package(name: \"modelc\", path: \(swiftLiteral(path)))")
  }

  /// What this program was built from; nil if it does not know.
  init?(of source: ModelcSource) {
    if !source.isReachable {
      guard !source.repository.isEmpty else { return nil }
      self.init(at: source.repository)
    } else {
      let isCommit = source.revision.wholeMatch(of: #/[0-9a-f]{40}/#) != nil
      self.init(
        url: source.repository,
        isCommit ? "revision: \(swiftLiteral(source.revision))" : "exact: \(swiftLiteral(source.version))")
    }
  }

  private init(url: String, _ requirement: String) {
    let name = url.split(separator: "/").last.map(String.init) ?? url
    self.init(
      text: ".package(url: \(swiftLiteral(url)), \(requirement))",
      identity: name.hasSuffix(".git") ? String(name.dropLast(4)) : name)
  }

  private init(text: String, identity: String = "modelc") { (self.text, self.identity) = (text, identity) }
}

/// A package of two targets: the project's migration policies, and the command line that has them.
///
/// - Parameters:
///   - named: those that mapping models name; each gets a file with a stub.
///   - policies: the policies' folder, from the package's.
func policyPackage(
  in folder: String, policies: String, dependingOn modelc: ModelcDependency, policies named: [NamedPolicy]
) -> [ProjectFile] {
  let list = named.map { "  \($0.className).self,\n" }.joined()
  return [
    ProjectFile(path: join(folder, "Package.swift"), text: modelc.manifest(policies: policies)),
    ProjectFile(
      path: join(folder, "\(policies)/policies.swift"),
      text: "policies.swift.txt".filledFile(["list": list.isEmpty ? "" : "\n" + list])),
    ProjectFile(path: join(folder, "Sources/project-modelc/main.swift"), text: "main.swift.txt".filledFile()),
  ]
    + named.map { ProjectFile(path: join(folder, "\(policies)/\($0.className).swift"), text: $0.stub) }
}

extension ModelcDependency {
  fileprivate func manifest(policies: String) -> String {
    "Package.swift.txt".filledFile([
      "dependency": text, "package": swiftLiteral(identity), "policies": swiftLiteral(policies),
    ])
  }
}

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
