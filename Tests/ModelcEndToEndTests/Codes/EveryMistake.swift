import Foundation
import ModelCommands
import TestSupport

/// A project with one mistake of each kind: a model for every code that a model's own files can raise.
enum EveryMistake {
  /// Codes of what a model's files say: the families MC0 to MC2, and stages. Those of Swift source are raised by its own
  /// tests, and by the examples of their explanations.
  static let catalogued = catalogue.filter {
    ["MC0", "MC1", "MC2"].contains($0.code.prefix(3)) && !$0.code.hasPrefix("MC26")
      || ["MC3401", "MC3403"].contains($0.code)
  }

  /// Writes `Models/MC1301/…` and so on: the examples of the explanations, and what they cannot show.
  static func write(to folder: URL) throws {
    for explanation in catalogued {
      guard let files = exampleModels(in: explanation.example).first else { continue }
      for (name, text) in files { try write(Data(text.utf8), to: folder, explanation.code, name) }
    }
    try write(Data([0xFF, 0xFE] + "entities: {}".utf8.flatMap { [$0, 0] }), to: folder, "MC0008", "V1.yaml")
    try write(Data(wideTable.utf8), to: folder, "MC1109", "V1.yaml")
    try write(Data(endlessTable.utf8), to: folder, "MC1111", "V1.yaml")
    for code in ["MC0008", "MC1109", "MC1111"] {
      try write(Data("current: V1\nversions: [V1]\n".utf8), to: folder, code, "versions.yaml")
    }
  }

  private static func write(_ data: Data, to folder: URL, _ code: String, _ name: String) throws {
    let model = folder.appending(path: "Models/\(code)")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try data.write(to: model.appending(path: name))
  }

  /// More columns than SQLite takes.
  private static var endlessTable: String {
    let attributes = (1...1_998).map { "a\($0): integer16?" }.joined(separator: ", ")
    return "entities:\n  Sample:\n    attributes: {\(attributes)}\n"
  }

  /// Five children of thirty attributes each in one table.
  private static var wideTable: String {
    var text = "entities:\n  Item:\n    abstract: true\n"
    for child in 1...5 {
      text += "  Kind\(child):\n    parent: Item\n    attributes:\n"
      for attribute in 1...30 { text += "      a\(child)_\(attribute): string?\n" }
    }
    return text
  }

  /// Xcode's packages, each with one flaw, as `X/MC0201.xcdatamodeld`.
  static func writePackages(to folder: URL) throws {
    let head = #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">"#
    let contents = [
      "MC0201": head + "<entity",
      "MC0202": "version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n",
      "MC0204": #"<!DOCTYPE model [<!ENTITY x SYSTEM "file:///etc/passwd">]>"# + head + "&x;</model>",
      "MC0205": head
        + #"<entity name="Hut"><attribute name="beds" attributeType="Integer 15"/></entity></model>"#,
      "MC0206": head
        + #"<entity name="Hut"><attribute name="beds" attributeType="Integer 16" compressed="YES"/></entity></model>"#,
      "MC0208": head + "</model>", "MC1103": head + #"<entity name="Hut"/><entity name="Hut"/></model>"#,
      "MC1112": head
        + #"<entity name="Hut"><attribute name="beds" attributeType="Integer 16" optional="YES"/>"#
        + String(
          repeating: #"<fetchIndex name="i"><fetchIndexElement property="beds" type="Binary"/></fetchIndex>"#,
          count: 2) + "</entity></model>",
    ]
    for (code, text) in contents {
      try write(text, to: folder, "X/\(code).xcdatamodeld/V1.xcdatamodel/contents")
    }
    try write("", to: folder, "X/MC0207.xcdatamodeld/README")
    try write("old", to: folder, "X/MC0203.xcdatamodeld/V1.xcdatamodel/elements")
    let current = "<dict><key>_XCCurrentVersionName</key><string>V9.xcdatamodel</string></dict>"
    try write(
      "<?xml version=\"1.0\"?><plist version=\"1.0\">\(current)</plist>", to: folder,
      "X/MC0208.xcdatamodeld/.xccurrentversion")
    for name in ["App", "app"] {
      try write(head + "</model>", to: folder, "X/MC2107.xcdatamodeld/\(name).xcdatamodel/contents")
    }
  }

  static func write(_ text: String, to folder: URL, _ path: String) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
