import Foundation
import ManagedModel

/// A package of two targets: the project's migration policies, and the command line that has them.
///
/// - Parameters:
///   - modelc: the path or the URL of modelc's package.
///   - policies: those that mapping models name; each gets a file with a stub.
func policyPackage(
  in folder: String, dependingOn modelc: String, policies named: [NamedPolicy]
) -> [ProjectFile] {
  [
    ProjectFile(path: join(folder, "Package.swift"), text: manifest(dependingOn: modelc, of: folder)),
    ProjectFile(path: join(folder, "Migrations/Policies/policies.swift"), text: policies(named)),
    ProjectFile(path: join(folder, "Sources/project-modelc/main.swift"), text: program),
  ]
    + named.map {
      ProjectFile(path: join(folder, "Migrations/Policies/\($0.className).swift"), text: $0.stub)
    }
}

private func manifest(dependingOn modelc: String, of folder: String) -> String {
  let isURL = modelc.contains("://") || modelc.hasPrefix("git@")
  let dependency: String
  var identity = "modelc"
  if isURL {
    dependency = ".package(url: \(swiftLiteral(modelc)), branch: \"main\")"
    let name = modelc.split(separator: "/").last.map(String.init) ?? modelc
    identity = name.hasSuffix(".git") ? String(name.dropLast(4)) : name
  } else {
    let path = URL(filePath: modelc).standardizedFileURL.path
    dependency = ".package(name: \"modelc\", path: \(swiftLiteral(path)))"
  }
  return """
    // swift-tools-version: 6.2
    import PackageDescription

    // modelc with this project's own migration policies: `swift run project-modelc …` in the place of `modelc …`.
    let package = Package(
      name: "project-modelc",
      platforms: [.macOS(.v13)],
      dependencies: [
        \(dependency)
      ],
      targets: [
        .target(
          name: "Policies", dependencies: [.product(name: "ModelMigration", package: \(swiftLiteral(identity)))],
          path: "Migrations/Policies"),
        .executableTarget(
          name: "project-modelc",
          dependencies: ["Policies", .product(name: "ModelCommands", package: \(swiftLiteral(identity)))]),
      ])

    """
}

private func policies(_ named: [NamedPolicy]) -> String {
  let list = named.map { "  \($0.className).self,\n" }.joined()
  return policiesHead
    + "public let policies: [EntityMigrationPolicy.Type] = [\(list.isEmpty ? "" : "\n" + list)]\n"
}

private let policiesHead = """
  import ModelMigration

  /// The policies that the mapping files under Migrations/ may name. A policy is a class such as this one:
  ///
  ///     final class HutPolicy: EntityMigrationPolicy {
  ///       override func createDestinationInstances(
  ///         forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ///       ) throws {
  ///         try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  ///       }
  ///     }
  ///
  /// `modelc export V2 --as swift -o Migrations/Policies` writes typed access to a version's objects.

  """

private let program = """
  import Foundation
  import ModelCommands
  import Policies

  exit(ModelcCommand.run(Array(CommandLine.arguments.dropFirst()), policies: policies))

  """
