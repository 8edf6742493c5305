import Foundation
package import ManagedModel
import ModelFormats

/// The Xcode projects of a repository, and what else says which files get into an app.
package struct BuildPhases {
  private var projects: [XcodeProject] = []
  package var hasProjects: Bool { !projects.isEmpty }
  /// Projects that cannot be read.
  package private(set) var diagnostics: [Diagnostic] = []
  /// The folder in which they were looked for, absolute.
  private let top: String

  /// Looks for projects in the repository of a package; outside of one, in the nearest folder above it that has a project.
  package init(around package: String) {
    let place = URL(filePath: package).standardizedFileURL.path
    let folders = sequence(first: place.parentPath) { $0 == "/" || $0.isEmpty ? nil : $0.parentPath }
    let repository = try? GitRepository.holding(package).repository.top
    let near = folders.prefix(6).first { folder in
      directoryEntries(of: folder, limit: 2_000).contains { $0.name.hasSuffix(".xcodeproj") }
    }
    top = repository.flatMap { place.hasPrefix($0 + "/") ? $0 : nil } ?? near ?? ""
    if top.isEmpty { return }
    for path in XcodeFiles(below: top).projects {
      do throws(DiagnosticsError) {
        projects.append(try XcodeProject(at: shown(path)))
      } catch {
        diagnostics += error.diagnostics
      }
    }
  }

  /// Whether another package lies in the same repository, so that these are its projects too.
  package func isAround(_ package: String) -> Bool {
    !top.isEmpty && URL(filePath: package).standardizedFileURL.path.hasPrefix(top + "/")
  }

  /// A path below the working folder as people write it.
  private func shown(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath
    return path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
  }

  /// The targets with a file in them, as `App of App.xcodeproj`.
  package func targetNames(with path: String) -> [String] {
    targets(with: path).map { "\($0.target.name) of \(URL(filePath: $0.project.path).lastPathComponent)" }
  }

  /// Programs that have a package and share an app group, so that they may open the same store: of each group the apps, which
  /// migrate it, and the extensions, which should only open it.
  package func sharing(_ package: String) -> [(group: String, apps: [String], extensions: [String])] {
    let having = targets(with: package).map(\.target).filter { !$0.isTest }
    return having.reduce(into: Set<String>()) { $0.formUnion($1.appGroups) }.sorted().compactMap { group in
      let members = having.filter { $0.appGroups.contains(group) }
      let (extensions, apps) = (members.filter(\.isExtension), members.filter { !$0.isExtension })
      return members.count < 2 ? nil : (group, apps.map(\.name), extensions.map(\.name))
    }
  }

  private func targets(with path: String) -> [(project: XcodeProject, target: XcodeProject.Target)] {
    let file = URL(filePath: path).standardizedFileURL.path
    return projects.flatMap { project in project.targets.filter { $0.contains(file) }.map { (project, $0) } }
  }

  /// Whether the app is built with a package (MC7040) and its mapping models (MC7041), and every target of it with all of
  /// them (MC7042).
  ///
  /// - Parameter mappingModels: those of Xcode's that belong to the package, as paths.
  package func check(package: String, mappingModels: [String]) -> [Diagnostic] {
    let having = targets(with: package)
    if having.isEmpty { return owner(of: package).map { [missing(package, from: $0, mappingOf: nil)] } ?? [] }
    let shipping = having.filter { !$0.target.isTest }
    var found: [Diagnostic] = []
    for mapping in mappingModels {
      let all = targets(with: mapping)
      let takers = all.filter { !$0.target.isTest }
      let without = shipping.filter { one in
        !takers.contains { $0.project.path == one.project.path && $0.target.name == one.target.name }
      }
      if !without.isEmpty, without.count < shipping.count {
        found.append(
          .targetsDiffer, .warning,
          "\(without.map(\.target.name).listed) \(without.count == 1 ? "has" : "have") '\(package)', but not '\(mapping)'",
          place: SourceRange(startOf: without[0].project.file),
          notes: ["if it opens a store first, the store is migrated by an inferred mapping, or not at all"],
          help: [
            "add the mapping model to every target that opens the store, or let one of them only read it"
          ])
      } else if takers.isEmpty || !without.isEmpty && (takers + shipping).allSatisfy(\.target.isProgram) {
        // One that tests or other programs alone have is not in the app, if the package is.
        let project = all.isEmpty ? owner(of: mapping) : shipping.first?.project
        if let project { found.append(missing(mapping, from: project, mappingOf: package)) }
      }
    }
    return found + differingCopies(of: package, in: shipping.map(\.project))
  }

  /// Two targets of a project with packages of one name that are not the same.
  private func differingCopies(of package: String, in projects: [XcodeProject]) -> [Diagnostic] {
    let own = URL(filePath: package).standardizedFileURL
    guard let project = projects.first else { return [] }
    let paths = Set(project.targets.filter { !$0.isTest }.flatMap { $0.paths(named: own.lastPathComponent) })
    // Each pair is told once, at the package that comes first.
    guard let other = paths.sorted().first(where: { $0 > own.path }),
      let one = ModelReader().read(own.path).model, let two = ModelReader().read(other).model,
      one.currentVersion?.versionChecksum != two.currentVersion?.versionChecksum
    else { return [] }
    let targets = [own.path, other].map { path in project.targets.filter { $0.contains(path) } }
    let names = targets.map { $0.map(\.name).joined(separator: ", ") }
    let groups = targets.map { $0.reduce(into: Set<String>()) { $0.formUnion($1.appGroups) } }
    var finding = Diagnostic(
      .targetsDiffer, .warning,
      "'\(names[0])' is built with '\(package)' at '\(one.currentVersionName)', '\(names[1])' with '\(shown(other))' at '\(two.currentVersionName)'",
      place: SourceRange(startOf: project.file),
      notes: ["if they share a store, the one that opens it second finds a store of another model"],
      help: ["give both targets one package"])
    if let group = groups[0].intersection(groups[1]).min() {
      finding.notes.append(
        "they share the app group '\(group)': after one has migrated a store there, the other cannot open it")
    }
    return [finding]
  }

  /// The project that should have a file in a target: that of the nearest folder above which has one. Nil where a manifest
  /// of another tool lies nearer, or in the same folder, and takes the file or may do so: SwiftPM and Bazel by their own
  /// rules, XcodeGen, Tuist and CocoaPods if a path or pattern of theirs leads to it.
  private func owner(of file: String) -> XcodeProject? {
    let file = URL(filePath: file).standardizedFileURL.path
    var folder = file.parentPath
    while folder.hasPrefix(top) {
      for name in directoryEntries(of: folder, limit: 2_000).map(\.name) {
        let path = join(folder, name)
        switch name {
        case "Package.swift", "BUILD", "BUILD.bazel", "BUCK": return nil
        case "project.yml", "project.yaml", "Project.swift":
          if manifest(path, leadsTo: file, from: folder) { return nil }
        default: if name.hasSuffix(".podspec"), manifest(path, leadsTo: file, from: folder) { return nil }
        }
      }
      let own = projects.filter { URL(filePath: $0.path).standardizedFileURL.path.parentPath == folder }
      if let own = own.first(where: { project in project.targets.contains { !$0.isTest } }) { return own }
      if folder == "/" || folder == top { return nil }
      folder = folder.parentPath
    }
    return nil
  }

  private func manifest(_ path: String, leadsTo file: String, from folder: String) -> Bool {
    guard let data = try? readFile(URL(filePath: path), shownAs: path) else { return true }
    let words = String(decoding: data, as: UTF8.self).split { $0.isWhitespace || "\"',[]{}()#".contains($0) }
    return words.contains { word in
      // `App/**/*.xcdatamodeld` leads to what lies in App.
      let fixed = word.prefix { $0 != "*" && $0 != "?" }
      let pattern =
        fixed.count < word.count
        ? fixed.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        : String(fixed)
      if pattern.isEmpty { return fixed.count < word.count }
      let place = URL(filePath: pattern, relativeTo: URL(filePath: folder + "/")).standardizedFileURL.path
      return file == place || file.hasPrefix(place.hasSuffix("/") ? place : place + "/")
    }
  }

  private func missing(_ path: String, from project: XcodeProject, mappingOf package: String?) -> Diagnostic {
    let name = URL(filePath: path).lastPathComponent
    let text = "\(name) in "
    func places(_ file: URL) -> Int {
      let data = (try? readFile(file, shownAs: project.file)) ?? Data()
      return String(decoding: data, as: UTF8.self).components(separatedBy: text).count
    }
    func formerPlaces(_ revision: String) -> Int {
      ((try? withRevision(revision, of: project.file, places)) ?? nil) ?? 0
    }
    // What added it to a target, which is another one or is gone, is not named.
    let change = project.file.namedCommit(lastChanging: text)
    let since =
      places(URL(filePath: project.file)) < formerPlaces("HEAD")
      ? "since an edit that is not committed"
      : change.flatMap {
        formerPlaces($0.id) < formerPlaces("\($0.id)^")
          ? "since \($0.id) of \($0.date), \"\($0.subject)\"" : nil
      }
    let effect =
      package.map {
        "the app is built without it: Core Data infers the step instead, or refuses stores; '\($0)' itself is in the app"
      }
      ?? "the app is built without it: no store can be opened; an app that deletes such stores starts empty"
    let isListed = project.listed.contains(URL(filePath: path).standardizedFileURL.path)
    let unbuilt = isListed ? "the project lists it, but no build phase has it" : nil
    let notes = [effect, since, unbuilt].compactMap(\.self)
    return Diagnostic(
      package == nil ? .packageInNoTarget : .mappingInNoTarget, .error,
      "'\(path)' is in no target of '\(project.path)' that users get\(package.map { " with '\($0)'" } ?? "")",
      place: SourceRange(startOf: project.file),
      notes: notes.map { Diagnostic.Note($0) },
      help: ["select it in Xcode, and its target under Target Membership in the File inspector"])
  }
}

extension Diagnostic.Code {
  package static let packageInNoTarget = Self("MC7040", level: .path)
  package static let mappingInNoTarget = Self("MC7041", level: .path)
  package static let targetsDiffer = Self("MC7042", level: .path)
}
