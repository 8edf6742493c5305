import Foundation
import ManagedModel

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
    ProjectFile(
      path: join(folder, "Sources/project-modelc/main.swift"), text: "main.swift.txt".filledFile()),
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
