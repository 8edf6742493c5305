import Foundation
import PackagePlugin

/// Compiles a target's models into `.momd` bundles while it is built, and makes them its resources:
/// `Bundle.module.url(forResource: "Trails", withExtension: "momd")`.
///
/// Models are folders with a `versions.yaml`, and `.xcdatamodeld` packages, anywhere below the target's folder; where
/// there are none, those of the package's `Models/`.
@main
struct CompileModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let package = context.package.directoryURL
    var models = try findModels(below: target.directoryURL)
    if models.isEmpty { models = try findModels(below: package.appending(path: "Models")) }
    if models.isEmpty {
      Diagnostics.error(
        "'\(target.name)' has no model: no folder with a versions.yaml and no .xcdatamodeld below "
          + "\(target.directoryURL.path), nor in \(package.appending(path: "Models").path)")
    }
    guard let tool = try? context.tool(named: "modelc") else {
      Diagnostics.error("the package's dependency on modelc lacks its trait: 'traits: [\"Plugins\"]'")
      return []
    }
    return try models.map { model in
      let name = model.deletingPathExtension().lastPathComponent
      let mappings = package.appending(path: "Migrations/\(name)")
      return .buildCommand(
        displayName: "Compiling model \(name)", executable: tool.url,
        arguments: [
          "compile", model.path, "-C", package.path, "-o", context.pluginWorkDirectoryURL.path, "--quiet",
        ],
        inputFiles: try sources(below: model) + sources(below: mappings),
        outputFiles: [context.pluginWorkDirectoryURL.appending(path: "\(name).momd")])
    }
  }

  /// Sorted by path; nothing is looked for within a model.
  private func findModels(below folder: URL) throws -> [URL] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
    if names.contains("versions.yaml") || folder.pathExtension == "xcdatamodeld" { return [folder] }
    return try names.sorted().filter { !$0.hasPrefix(".") }.flatMap { name in
      let child = folder.appending(path: name)
      return isFolder(child) ? try findModels(below: child) : []
    }
  }

  /// What a bundle is made of; stores that were kept at releases are not.
  private func sources(below folder: URL) throws -> [URL] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
    return try names.sorted().filter { !$0.hasPrefix(".") }.flatMap { name in
      let child = folder.appending(path: name)
      if isFolder(child) { return name == "Released" ? [] : try sources(below: child) }
      return child.pathExtension == "yaml" || folder.path.contains(".xcdatamodel") ? [child] : []
    }
  }

  private func isFolder(_ url: URL) -> Bool {
    (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
  }
}
