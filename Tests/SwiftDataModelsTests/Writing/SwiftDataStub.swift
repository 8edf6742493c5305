import Foundation
import TestSupport
import Testing

/// Type-checks source for SwiftData where there is no SwiftData: against declarations of the same names and labels.
///
/// No compiler outside of Xcode runs its macros. What they say becomes a static property of the class, so that options,
/// labels and key paths are checked all the same; the rest of the source stays as it is.
struct SwiftDataStub {
  let folder: URL

  init(in folder: URL) throws {
    self.folder = folder
    try Data(Self.declarations.utf8).write(to: folder.appending(path: "SwiftData.swift"))
    let run = try swiftc([
      "-parse-as-library", "-emit-module", "-module-name", "SwiftData", "-o", "SwiftData.swiftmodule",
      "SwiftData.swift",
    ])
    try #require(run.code == 0, "\(run.text)")
  }

  static let isPossible = (try? CommandOutput(of: ["swiftc", "--version"]))?.code == 0

  /// - Parameters:
  ///   - sources: files, which may declare types of the same names.
  ///   - classes: classes of the app that the sources use.
  /// - Returns: what the compiler says of them.
  func errors(in sources: [String], classes: Set<String> = []) throws -> [String] {
    var lines = ["import Foundation", "import SwiftData"]
    lines += classes.sorted().map { "final class \($0): NSObject {}" }
    for (index, source) in sources.enumerated() {
      lines.append("enum Source\(index) {")
      for line in source.split(separator: "\n", omittingEmptySubsequences: false)
      where !line.hasPrefix("import ") {
        lines.append(withoutMacro(String(line), number: lines.count))
      }
      lines.append("}")
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: folder.appending(path: "source.swift"))
    // What is there before it is set, or not set at all, is found beyond the types.
    let run = try swiftc(["-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", ".", "source.swift"])
    let errors = run.text.split(separator: "\n").filter { $0.contains(": error: ") }.map(String.init)
    return run.code == 0 || !errors.isEmpty ? errors : [run.text]
  }

  private func withoutMacro(_ line: String, number: Int) -> String {
    if let macro = line.wholeMatch(of: #/ *@(?:SwiftData\.)?(Attribute|Relationship)(\(.*\))/#) {
      return "static var fact\(number): SwiftData.\(macro.1) { SwiftData.\(macro.1)\(macro.2) }"
    }
    if let macro = line.wholeMatch(of: #/ *#((?:Unique|Index)<.*?>)(\(.*\))/#) {
      return "static var fact\(number): SwiftData.\(macro.1) { SwiftData.\(macro.1)\(macro.2) }"
    }
    if line.contains(#/^ *@(SwiftData\.)?Model$/#) { return "" }
    if let head = line.wholeMatch(of: #/( *(?:final )?class \S+) \{/#) {
      return "\(head.1): SwiftData.PersistentModel {"
    }
    return line
  }

  private func swiftc(_ arguments: [String]) throws -> CommandOutput {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    process.currentDirectoryURL = folder
    return try CommandOutput(of: process)
  }

  private static let declarations = """
    public protocol PersistentModel: AnyObject {}
    public final class ModelContext {}
    public final class Schema {
      public struct Version: Sendable { public init(_ major: Int, _ minor: Int, _ patch: Int) {} }
    }
    public struct Attribute {
      public struct Option {
        public static var unique: Option { Option() }
        public static var externalStorage: Option { Option() }
        public static var allowsCloudEncryption: Option { Option() }
        public static var spotlight: Option { Option() }
        public static var preserveValueOnDeletion: Option { Option() }
        public static var ephemeral: Option { Option() }
        public static func transformable(by transformerName: String) -> Option { Option() }
      }
      public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {}
    }
    public struct Relationship {
      public struct Option { public static var unique: Option { Option() } }
      public enum DeleteRule { case cascade, deny, noAction, nullify }
      public init(
        _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
        maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
        hashModifier: String? = nil) {}
    }
    public struct Unique<T: PersistentModel> { public init(_ constraints: [PartialKeyPath<T>]...) {} }
    public struct Index<T: PersistentModel> {
      public enum Types { case binary([PartialKeyPath<T>]), rtree([PartialKeyPath<T>]) }
      public init(_ indices: [PartialKeyPath<T>]...) {}
      public init(_ indices: Types...) {}
    }
    public protocol VersionedSchema {
      static var models: [any PersistentModel.Type] { get }
      static var versionIdentifier: Schema.Version { get }
    }
    public enum MigrationStage {
      case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
      case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
    }
    public protocol SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { get }
      static var stages: [MigrationStage] { get }
    }

    """
}
