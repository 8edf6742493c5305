import Foundation
import TestSupport
import Testing

@Suite("modelc compile --fix")
struct FixTests {
  private struct FixRecord: Decodable {
    var code: String
    var file: String
    var line: Int
    var column: Int
    var message: String
    var applied: Bool
    var reason: String?
  }

  private struct Fixed: Decodable { var fixes: [FixRecord] }

  /// Runs in a project with one version.
  private func with<Result>(
    _ text: String, list: String = "current: V1\nversions: [V1]\n", _ body: (Workplace) throws -> Result
  ) throws -> Result {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write(list, to: "Models/M/versions.yaml")
      try place.write(text, to: "Models/M/V1.yaml")
      return try body(place)
    }
  }

  private func text(_ place: Workplace, _ file: String = "V1") throws -> String {
    String(decoding: try Data(contentsOf: place.url("Models/M/\(file).yaml")), as: UTF8.self)
  }

  @Test func `a file that was formatted stays so`() throws {
    let broken = "entities:\n  Hut:\n    attributes: {beds: integer16 = 0}\n    # ours\n    abstrct: true\n"
    try with(broken) { place in
      expectSuccess(try place.modelc("format", "--check"))
      expectSuccess(try place.modelc("compile", "--fix"))
      #expect(
        try text(place)
          == "entities:\n  Hut:\n    # ours\n    abstract: true\n    attributes: {beds: integer16 = 0}\n")
    }
  }

  @Test func `safe edits are made and named, the rest of the file stays, and it compiles`() throws {
    let broken =
      "# Ours.\nentities:\n  Hut:   # a hut\n    abstrct: no\n    attributes:\n      beds: intger16 = 0   # at least\n"
    try with(broken) { place in
      #expect(try place.modelc("compile").stderr.hasSuffix("; `--fix` makes 3 edits\n"))
      #expect(try text(place) == broken)
      let run = try place.modelc("compile", "--fix")
      expectSuccess(run)
      #expect(
        run.stdout.hasPrefix(
          """
          fixed Models/M/V1.yaml:4:5 MC0003: write 'abstract'
          fixed Models/M/V1.yaml:6:13 MC1201: write 'integer16'
          fixed Models/M/V1.yaml:4:15 MC0004: write 'false'
          Build/M.momd

          """), "\(run)")
      #expect(
        try text(place)
          == broken.replacing("abstrct: no", with: "abstract: false").replacing("intger", with: "integer"))
      let again = try place.modelc("compile", "--fix")
      expectSuccess(again)
      #expect(again.stdout.hasPrefix("nothing to fix\n"))
    }
  }

  @Test func `what may change the meaning is listed and left`() throws {
    let broken = "entities:\n  Hut:\n    attributes:\n      beds: int\n    parnt: Place\n  Place: {}\n"
    try with(broken) { place in
      let run = try place.modelc("compile", "--fix")
      #expect(run.code == 1)
      #expect(run.errors == ["MC1201"])
      #expect(
        run.stdout == """
          fixed Models/M/V1.yaml:5:5 MC0003: write 'parent'
          left  Models/M/V1.yaml:5:13 MC1201: write 'integer64' (it may change what the model means; make it yourself where it is right)

          """)
      #expect(
        try text(place)
          == "entities:\n  Hut:\n    parent: Place\n    attributes:\n      beds: int\n  Place: {}\n")
      let json = try place.modelc("compile", "--fix", "--format", "json")
      #expect(json.code == 1 && json.stderr.isEmpty)
      let fixes = try json.decoded(as: Fixed.self).fixes
      #expect(fixes.map(\.code) == ["MC1201"])
      #expect(fixes.first?.applied == false && fixes.first?.reason == "unsafe" && fixes.first?.line == 5)
    }
  }

  @Test func `JSON has what is found in each model beside its bundle`() throws {
    let findings = "entities:\n  Hut: {attributes: {isOpen: {type: \"boolean?\", scalar: true}}}\n"
    try with(findings) { place in
      try place.write("current: V1\nversions: [V1]\n", to: "Models/N/versions.yaml")
      for name in ["V1", "V2"] { try place.write("entities:\n  Hut: {}\n", to: "Models/N/\(name).yaml") }
      let run = try place.modelc("compile", "--format", "json")
      let models = try run.decoded(as: [RefusalRecord].self)
      #expect(models.map { $0.diagnostics.map(\.code) } == [["MC1214"], ["MC2106"]], "\(run)")
    }
  }

  @Test func `JSON has the edits beside the bundle`() throws {
    try with("entities:\n  Hut:\n    abstrct: false\n") { place in
      let fixes = try place.modelc("compile", "--fix", "--format", "json").decoded(as: Fixed.self).fixes
      #expect(
        fixes.map { "\($0.file):\($0.line):\($0.column) \($0.message) \($0.applied)" } == [
          "Models/M/V1.yaml:3:5 write 'abstract' true"
        ])
      #expect(try place.modelc("compile", "--format", "json").stdout.contains("fixes") == false)
    }
  }

  @Test func `line ends, mode and links stay as they are`() throws {
    let crlf =
      "entities:\r\n  Hut:\r\n    abstrct: false\r\n    attributes:\r\n      a: {type: string = x}\r\n"
    try with(crlf) { place in
      let file = place.url("Models/M/V1.yaml").path
      let real = place.url("real.yaml")
      try FileManager.default.moveItem(atPath: file, toPath: real.path)
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "../../real.yaml")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real.path)
      expectSuccess(try place.modelc("compile", "--fix"))
      #expect(
        try text(place)
          == crlf.replacing("abstrct", with: "abstract").replacing("string = x", with: "string, default: x"))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == "../../real.yaml")
      let mode = try FileManager.default.attributesOfItem(atPath: real.path)[.posixPermissions] as? Int
      #expect(mode == 0o640)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted() == [
          "Build", "Models", "real.yaml",
        ])
    }
  }

  @Test func `tabs become blanks, and what shows then is told`() throws {
    try with("entities:\n\tHut:\n\t\tattributes:\n\t\t\tbeds: int\n") { place in
      let run = try place.modelc("compile", "--fix")
      #expect(run.errors == ["MC1201"])
      #expect(try text(place) == "entities:\n  Hut:\n    attributes:\n      beds: int\n")
    }
  }

  @Test func `an edit that uncovers more errors than it mends is not made`() throws {
    // Under 'entities' the rest would be read, and is worse than one unknown key and one missing.
    let broken = "entitie:\n  Hut: {colour: red, form: round, smell: pine, attributes: {a: x, b: y}}\n"
    try with(broken) { place in
      let run = try place.modelc("compile", "--fix")
      #expect(run.code == 1)
      #expect(try text(place) == broken)
      #expect(
        run.stdout.contains(
          "left  Models/M/V1.yaml:1:1 MC0003: write 'entities' (the file would have more errors"))
      #expect(run.stdout.hasSuffix("nothing that is safe to fix\n"))
    }
  }

  @Test func `lists of versions and versions that extend others are fixed too`() throws {
    let list = "current: V2\nversions: [V1, V2]\nstages:\n  - {lightweight: [V1, V2], lable: all}\n"
    try with("entities: {Hut: {attributes: {beds: integer16 = 0}}}\n", list: list) { place in
      let change =
        "extends: V1\nentities:\n  Hut:\n    attributes:\n      beds: integer16 = 0\n      stars: integer16?\n"
      try place.write(change, to: "Models/M/V2.yaml")
      expectSuccess(try place.modelc("compile", "--fix"))
      #expect(try text(place, "versions") == list.replacing("lable", with: "label"))
      #expect(try text(place, "V2") == change.replacing("      beds: integer16 = 0\n", with: ""))
    }
  }

  @Test func `only the named model is fixed`() throws {
    try with("entities: {E: {abstrct: false}}\n") { place in
      try place.write("entities: {E: {abstrct: false}}\n", to: "Models/N/V1.yaml")
      try place.write("current: V1\nversions: [V1]\n", to: "Models/N/versions.yaml")
      expectSuccess(try place.modelc("compile", "--fix", "N"))
      #expect(try text(place).contains("abstrct"))
    }
  }

  @Test func `a folder that cannot be written to is told, and nothing is lost`() throws {
    try with("entities: {E: {abstrct: false}}\n") { place in
      guard getuid() == 0 else { return }
      let before = try place.snapshot("Models")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.folder.path)
      let run = try Modelc.run(["compile", "--fix"], in: place.folder, asUser: 65534)
      #expect(run.code == 6, "\(run)")
      #expect(try place.snapshot("Models") == before)
    }
  }

  @Test func `--check and --fix do not go together`() throws {
    try with("entities: {}\n") { place in
      let run = try place.modelc("compile", "--fix", "--check")
      #expect(run.code == 2 && run.stderr.contains("--check writes nothing"))
    }
  }
}
