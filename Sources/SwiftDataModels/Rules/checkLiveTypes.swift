import Foundation
package import ManagedModel

extension SwiftDataProgram {
  /// A type that an old schema shares with the newest one changes whenever the app does (MC2611).
  ///
  /// One that old schemas share among themselves, and the newest does not list, stays as it is. Without stages SwiftData infers
  /// a step from any store: there only two equal schemas of a plan stop the app, and without a plan schemas are notes.
  func checkLiveTypes() -> [Diagnostic] {
    let isPlanless = plan == nil && !containers.openings.isEmpty && !containers.havePlans
    guard let newest = versions.last, !isPlanless else { return [] }
    var reported: Set<String> = []
    return versions.dropLast().enumerated().compactMap { index, version in
      let live = version.schema.models.filter { type in
        !reported.contains(type.identity) && newest.schema.lists(type)
      }
      guard let first = live.first else { return nil }
      let sharing = versions.filter { other in
        other.name != version.name && live.contains { other.schema.lists($0) }
      }
      // Such a class stays as it is, as long as nobody edits the old schema.
      let areOld = live.allSatisfy { type in
        versions[...index].contains { type.entry?.path.starts(with: $0.schema.entry.path) == true }
      }
      let twin = sharing.last { $0.schema.listsSameTypes(version.schema) }
      if twin == nil, let plan, plan.isWhole, plan.stages.isEmpty { return nil }
      reported.formUnion(live.map(\.identity))
      let names = live.map { "'\($0.name.visible)'" }.joined(separator: ", ")
      let (isOne, last) = (live.count == 1, sharing.last?.name ?? version.name)
      let isWarning = areOld && twin == nil
      let spare = plan == nil ? nil : twin?.name.visible
      let stop =
        "they are one schema now, and SwiftData stops the app: \"Duplicate version checksums across stages detected.\""
      let declared = live.compactMap { type in
        type.entry.map { Diagnostic.Note("'\(type.name.visible)' is declared here", place: $0.place) }
      }
      return Diagnostic(
        .liveType, isWarning ? .warning : .error,
        "'\(version.name.visible)' lists \(isOne ? "a live type" : "live types"), which '\(last.visible)' lists too: \(names)",
        subject: ModelSubject(version: version.name), place: first.place,
        notes: [
          Diagnostic.Note(
            "editing \(isOne ? "it" : "one") for the newest of \(sharing.count + 1) schemas changes \(sharing.count == 1 ? "both" : "all") of them"
          ),
          "stores of the old version then have hashes that no schema has, and the app does not open them",
        ] + (twin == nil ? [] : [Diagnostic.Note(stop)]) + declared,
        help: [
          isWarning
            ? "before \(isOne ? names : "one of them") changes, give '\(last.visible)' \(isOne ? "a class" : "classes") of its own"
            : "give '\(version.name.visible)' types of its own, as its stores have them: nest copies of the classes in it, and list those"
        ] + (spare.map { ["or remove '\($0)' from the plan, if it changes nothing"] } ?? []),
        cocoaCode: 134504)
    }
  }
}

extension SchemaDeclaration {
  /// Whether two schemas list the same types: then they are one, whatever the types hold.
  func listsSameTypes(_ other: SchemaDeclaration) -> Bool {
    Set(models.map(\.identity)) == Set(other.models.map(\.identity))
  }

  func lists(_ type: ListedType) -> Bool { models.contains { $0.identity == type.identity } }
}

extension Diagnostic.Code { package static let liveType = Self("MC2611", level: .hash) }

extension String {
  /// How the first line of a file of frozen schemas begins.
  package static var frozenSeal: String { "// Written by `modelc release --freeze`" }

  /// Whether the file that it names is one.
  package var isFrozenFile: Bool {
    (try? readFile(URL(filePath: self), shownAs: self))?.starts(with: Self.frozenSeal.utf8) ?? false
  }

  /// Where frozen schemas are written: in the folder of the others, which the app is built with.
  package var frozenFile: String {
    let folder = split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return (folder + ["ShippedSchemas.swift"]).joined(separator: "/")
  }
}
