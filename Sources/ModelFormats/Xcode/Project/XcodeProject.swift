import Foundation
package import ManagedModel
import ModelArchives

/// What an Xcode project builds: its targets with the files of their build phases.
///
/// A file is in a target by a build phase that lists it, or, since Xcode 16, because it lies in a folder that the target
/// takes whole but for exceptions.
package struct XcodeProject {
  package struct Target {
    package let name: String
    /// The type of its product, as `com.apple.product-type.application`.
    fileprivate let product: String
    /// Whether it is a bundle of tests, which users do not get.
    package var isTest: Bool { product.contains("unit-test") || product.contains("ui-testing") }
    /// Whether it runs inside another program, as a widget does.
    package var isExtension: Bool { product.contains("extension") }
    /// Whether it finds only what lies in itself, and in frameworks that it has.
    package var isProgram: Bool { isExtension || product.contains("application") }
    /// The app groups that its entitlements name: programs of one group share files.
    package fileprivate(set) var appGroups: Set<String> = []
    fileprivate var files: Set<String> = []
    fileprivate var folders: [Folder] = []

    /// - Parameter path: absolute.
    package func contains(_ path: String) -> Bool {
      files.contains(path) || folders.contains { $0.contains(path) }
    }

    /// Files and folders of the name, wherever they lie.
    package func paths(named name: String) -> [String] { files.filter { $0.hasSuffix("/" + name) }.sorted() }
  }

  /// A folder of which a target takes all but some files, or of which another target takes some.
  fileprivate struct Folder {
    var path: String
    var exceptions: [String]
    var isOwn: Bool

    func contains(_ file: String) -> Bool {
      guard file.hasPrefix(path + "/") else { return false }
      let isException = exceptions.contains { file == $0 || file.hasPrefix($0 + "/") }
      return isOwn != isException
    }
  }

  /// Of the `.xcodeproj` as the user sees it.
  package let path: String
  package private(set) var targets: [Target] = []
  /// Absolute paths of all that it lists, in a target or not.
  package private(set) var listed: Set<String> = []
  private let objects: [String: [String: PropertyListValue]]
  private var places: [String: String] = [:]
  /// Folders that targets take whole.
  private var synchronized: [String: [String: PropertyListValue]] = [:]

  package var file: String { join(path, "project.pbxproj") }

  /// - Throws: MC7043 where there is no project that can be read.
  package init(at path: String) throws(DiagnosticsError) {
    self.path = path
    let file = join(path, "project.pbxproj")
    guard let facts = FileFacts(ofFileAt: file), facts.isRegular, facts.size <= Self.largestFile,
      let data = try? Data(contentsOf: URL(filePath: file))
    else { throw DiagnosticsError(.unreadableProject(file, "it is missing, or larger than 64 MB")) }
    if data.range(of: Data("\n<<<<<<< ".utf8)) != nil {
      throw DiagnosticsError(.unreadableProject(file, "it has merge conflicts"))
    }
    let list = data.readPropertyList() ?? PropertyListValue(text: data)
    guard let top = list?.dictionary, let root = top["rootObject"]?.text,
      let objects = top["objects"]?.dictionary
    else { throw DiagnosticsError(.unreadableProject(file, "it is not an Xcode property list")) }
    self.objects = objects.compactMapValues(\.dictionary)
    let folder = URL(filePath: path).standardizedFileURL.deletingLastPathComponent().path
    let project = self.objects[root] ?? [:]
    let topFolder = Self.path(folder, project["projectDirPath"]?.text ?? "")
    locate(project["mainGroup"]?.text, in: topFolder, project: topFolder)
    listed = Set(places.values)
    synchronized = self.objects.filter { $0.value["isa"]?.text == "PBXFileSystemSynchronizedRootGroup" }
    for id in texts(project["targets"]) { if let target = target(id) { targets.append(target) } }
  }

  /// Where the files of a group lie, and those of the groups in it.
  private mutating func locate(_ group: String?, in folder: String, project: String) {
    var left = group.map { [($0, folder)] } ?? []
    while let (id, folder) = left.popLast() {
      guard places[id] == nil, let object = objects[id] else { continue }
      let own = object["path"]?.text ?? ""
      let place =
        switch object["sourceTree"]?.text {
        case "<group>"?, nil: Self.path(folder, own)
        case "SOURCE_ROOT"?: Self.path(project, own)
        case "<absolute>"?: own
        default: ""
        }
      places[id] = place
      left += texts(object["children"]).map { ($0, place) }
    }
  }

  private func target(_ id: String) -> Target? {
    guard let object = objects[id], let name = object["name"]?.text else { return nil }
    var target = Target(name: name, product: object["productType"]?.text ?? "")
    target.appGroups = appGroups(of: object)
    for phase in texts(object["buildPhases"]).compactMap({ objects[$0] }) {
      guard ["PBXSourcesBuildPhase", "PBXResourcesBuildPhase"].contains(phase["isa"]?.text) else { continue }
      for file in texts(phase["files"]) {
        if let place = objects[file]?["fileRef"]?.text.flatMap({ places[$0] }) { target.files.insert(place) }
      }
    }
    let own = Set(texts(object["fileSystemSynchronizedGroups"]))
    for (group, object) in synchronized {
      guard let place = places[group] else { continue }
      let exceptions = texts(object["exceptions"]).compactMap { objects[$0] }.filter {
        $0["target"]?.text == id
      }
      .flatMap { texts($0["membershipExceptions"]) }
      if own.contains(group) || !exceptions.isEmpty {
        target.folders.append(
          Folder(path: place, exceptions: exceptions.map { Self.path(place, $0) }, isOwn: own.contains(group))
        )
      }
    }
    return target
  }

  /// What the entitlements of any of a target's build configurations name.
  private func appGroups(of target: [String: PropertyListValue]) -> Set<String> {
    let list = target["buildConfigurationList"]?.text.flatMap { objects[$0] }
    let settings = texts(list?["buildConfigurations"]).compactMap {
      objects[$0]?["buildSettings"]?.dictionary
    }
    let folder = URL(filePath: path).standardizedFileURL.deletingLastPathComponent().path
    let files = Set(
      settings.compactMap { $0["CODE_SIGN_ENTITLEMENTS"]?.text }.map { file in
        Self.path(folder, file.replacing(#/\$[({](SRCROOT|PROJECT_DIR)[)}]/#, with: folder))
      })
    return files.reduce(into: []) { groups, file in
      guard let facts = FileFacts(ofFileAt: file), facts.isRegular, facts.size <= Self.largestEntitlements,
        let data = try? Data(contentsOf: URL(filePath: file)), let list = data.readPropertyList()
      else { return }
      groups.formUnion(texts(list.dictionary?["com.apple.security.application-groups"]))
    }
  }

  private func texts(_ value: PropertyListValue?) -> [String] { value?.array?.compactMap(\.text) ?? [] }

  private static func path(_ folder: String, _ name: String) -> String {
    if name.isEmpty { return folder }
    return URL(filePath: name.hasPrefix("/") ? name : "\(folder)/\(name)").standardizedFileURL.path
  }

  private static let largestFile = 64 << 20
  private static let largestEntitlements: Int64 = 1 << 20
}

extension Diagnostic.Code { package static let projectUnreadable = Self("MC7043", level: .path) }

extension Diagnostic {
  fileprivate static func unreadableProject(_ file: String, _ reason: String) -> Self {
    Self(
      .projectUnreadable, .warning, "'\(file)' cannot be read: \(reason)", place: SourceRange(startOf: file),
      notes: ["whether the app is built with its models and mapping models is not checked"],
      help: ["open the project in Xcode, which shows what is wrong"])
  }
}
