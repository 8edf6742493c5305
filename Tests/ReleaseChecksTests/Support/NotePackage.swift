import Foundation
import ModelCommands
import TestSupport
import Testing

/// A package of Xcode's in a repository, with an entity of texts.
struct NotePackage {
  let project: ReleasedProject
  var name = "App.xcdatamodeld"

  /// Writes a version with one entity, whose attributes are optional texts, and makes it current.
  func write(_ version: String, _ attributes: String..., in package: String = "App.xcdatamodeld") throws {
    let lines = attributes.map { attribute in
      let parts = attribute.split(separator: " ", maxSplits: 1)
      return
        #"<attribute name="\#(parts[0])" optional="YES" attributeType="String" \#(parts.dropFirst().joined())/>"#
    }
    try project.write(
      #"<model><entity name="Note">\#(lines.joined())</entity></model>"#,
      to: "\(package)/\(version).xcdatamodel/contents")
    try project.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>",
      to: "\(package)/.xccurrentversion")
  }

  func commit(tag: String? = nil) throws {
    try project.commit("a change")
    if let tag { try project.repository.git("tag", tag) }
  }

  func modelc(_ arguments: String...) -> Int32 {
    ModelcCommand.run(arguments + ["-q", "--models", project.file(name)])
  }

  /// The codes of new errors.
  func errors(_ arguments: String...) throws -> Set<String> {
    let (code, found) = try project.check(arguments: arguments, models: name)
    let errors = found.filter { $0.severity == "error" && $0.state == "new" }.map(\.code)
    #expect((code == 0) == errors.isEmpty)
    return Set(errors)
  }
}

func withNotePackage(_ body: (NotePackage) throws -> Void) throws {
  try Repository.with { try body(NotePackage(project: ReleasedProject(repository: $0))) }
}
