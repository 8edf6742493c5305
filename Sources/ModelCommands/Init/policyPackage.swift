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
  [
    ProjectFile(path: join(folder, "Package.swift"), text: manifest(dependingOn: modelc, policies)),
    ProjectFile(path: join(folder, "\(policies)/policies.swift"), text: text(of: named)),
    ProjectFile(path: join(folder, "Sources/project-modelc/main.swift"), text: program),
  ]
    + named.map { ProjectFile(path: join(folder, "\(policies)/\($0.className).swift"), text: $0.stub) }
}

private func manifest(dependingOn modelc: ModelcDependency, _ policies: String) -> String {
  let package = swiftLiteral(modelc.identity)
  return """
    // swift-tools-version: 6.2
    import PackageDescription

    // modelc with this project's own migration policies: `swift run project-modelc …` in the place of `modelc …`.
    let package = Package(
      name: "project-modelc",
      platforms: [.macOS(.v13)],
      dependencies: [
        \(modelc.text)
      ],
      targets: [
        .target(
          name: "Policies",
          dependencies: [
            .product(name: "ModelMigration", package: \(package)),
            // Core Data's names, for code that is ported as it is.
            .product(name: "ModelMigrationCompatibility", package: \(package)),
          ],
          path: \(swiftLiteral(policies))),
        .executableTarget(
          name: "project-modelc",
          dependencies: ["Policies", .product(name: "ModelCommands", package: \(package))]),
      ])

    """
}

private func text(of named: [NamedPolicy]) -> String {
  let list = named.map { "  \($0.className).self,\n" }.joined()
  return policiesHead
    + "public let policies: [EntityMigrationPolicy.Type] = [\(list.isEmpty ? "" : "\n" + list)]\n"
}

private let policiesHead = """
  import ModelMigration

  /// The policies that mapping models name. A policy is a class such as this one:
  ///
  ///     final class HutPolicy: EntityMigrationPolicy {
  ///       override func createDestinationInstances(
  ///         forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ///       ) throws {
  ///         try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  ///       }
  ///     }
  ///
  /// `modelc export V2 --as swift` writes typed access to a version's objects.

  """

private let program = """
  import Foundation
  import ModelCommands
  import Policies

  exit(ModelcCommand.run(Array(CommandLine.arguments.dropFirst()), policies: policies))

  """
