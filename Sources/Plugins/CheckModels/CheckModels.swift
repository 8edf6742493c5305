import Foundation
import PackagePlugin

/// `swift package modelc-check`: the gate before a release, on the package's models. Arguments are those of
/// `modelc check`.
///
/// A package with policies of its own has them in its own modelc, `project-modelc` as `modelc init --policies` calls it;
/// where there is one, it is built and asked.
@main
struct CheckModels: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try modelc(context)
    // Places are then told from the package's folder, as GitHub and editors want them.
    process.currentDirectoryURL = context.package.directoryURL
    process.arguments = ["check"] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Refusal(code: process.terminationStatus) }
  }

  private func modelc(_ context: PluginContext) throws -> URL {
    let own = "project-modelc"
    guard context.package.targets.contains(where: { $0.name == own }) else {
      guard let tool = try? context.tool(named: "modelc") else {
        Diagnostics.error("the package's dependency on modelc lacks its trait: 'traits: [\"Plugins\"]'")
        throw Refusal(code: 2)
      }
      return tool.url
    }
    let result = try packageManager.build(.product(own), parameters: .init())
    guard result.succeeded, let built = result.builtArtifacts.first(where: { $0.kind == .executable }) else {
      Diagnostics.error(result.logText)
      throw Refusal(code: 2)
    }
    return built.url
  }

  /// The findings stand above it.
  struct Refusal: Error, CustomStringConvertible {
    let code: Int32
    var description: String { "modelc check ended with \(code)" }
  }
}
