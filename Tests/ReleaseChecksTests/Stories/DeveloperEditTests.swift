import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

/// Edits that developers make in Xcode, on genuine packages, each checked against the commit before it: what is found,
/// in how many lines, and that the fix which the finding advises lets it through. Each edit on one package, in turn; with
/// `MODELC_SEEDS` on all.
@Suite("Edits that developers make", .enabled(if: Fixtures.arePresent)) struct DeveloperEditTests {
  struct Edit: Sendable {
    enum Place { case next, current, older }

    var name: String
    var place: Place
    var expected: [String]
    var change: @Sendable (String, AppPackage) -> String
    /// What the new version says instead; nil if the edit is taken back.
    var mend: (@Sendable (String, AppPackage) -> String)?

    init(
      _ name: String, _ place: Place = .next, _ expected: [String] = [],
      _ change: @escaping @Sendable (String, AppPackage) -> String,
      mend: (@Sendable (String, AppPackage) -> String)? = nil
    ) {
      (self.name, self.place, self.expected, self.change, self.mend) = (name, place, expected, change, mend)
    }
  }

  fileprivate static let optional = #"<attribute name="zzz" optional="YES" attributeType="String"/>"#
  private static func defaulted(_ text: String, _ app: AppPackage) -> String {
    app.inEntity(
      text, #"<attribute name="\#(app.text)" optional="YES""#,
      #"<attribute name="\#(app.text)" defaultValueString="""#)
  }

  static let edits: [Edit] = [
    Edit("an optional attribute in a new version") { $1.adding(optional, to: $0) },
    Edit("a required attribute with a default") {
      $1.adding(#"<attribute name="zzz" attributeType="Integer 16" defaultValueString="0"/>"#, to: $0)
    },
    Edit("a new version forgotten", .current, ["MC7026 error"]) { $1.adding(optional, to: $0) },
    Edit("an older version edited", .older, ["MC7026 error"]) { $1.adding(optional, to: $0) },
    Edit("a required attribute without a default", .next, ["MC3101 error"]) {
      $1.adding(#"<attribute name="zzz" attributeType="String"/>"#, to: $0)
    } mend: {
      $1.adding(optional, to: $0)
    },
    Edit("a rename without an identifier", .next, ["MC3204 error"]) {
      $1.renaming($0, with: "")
    } mend: {
      $1.renaming($0, with: #"elementID="\#($1.text)" "#)
    },
    Edit("an entity renamed without an identifier", .next, ["MC3204 error"]) {
      $1.renamingEntity($0, with: "")
    } mend: {
      $1.renamingEntity($0, with: #" elementID="\#($1.small)""#)
    },
    Edit("a number that becomes a text", .next, ["MC3103 error"]) {
      $1.inEntity(
        $0, $1.number, $1.number.replacing(#/ attributeType=".*/#, with: #" attributeType="String""#))
    } mend: {
      $1.adding(optional, to: $0)
    },
    Edit("a wider number") {
      $1.inEntity($0, $1.number, $1.number.replacing(#/Integer [0-9]+/#, with: "Integer 64"))
    },
    Edit("an entity deleted", .next, ["MC7008 error"]) {
      $1.deletingEntity($0)
    } mend: { text, _ in
      text
    },
    Edit("an attribute deleted", .next, ["MC7008 error"]) {
      $1.inTag($0, "attribute", $1.text) { _ in "" }
    } mend: { text, _ in
      text
    },
    Edit("optional becomes required", .next, ["MC3101 error"]) {
      $1.inEntity($0, #"<attribute name="\#($1.text)" optional="YES""#, #"<attribute name="\#($1.text)""#)
    } mend: {
      defaulted($0, $1)
    },
    Edit("a delete rule in place", .current, ["MC7028 warning"]) {
      $1.inEntity($0, #"deletionRule="Cascade""#, #"deletionRule="Nullify""#)
    },
    Edit("an index in place", .current, ["MC7028 info"]) {
      $1.inEntity(
        $0, "</entity>",
        #"<fetchIndex name="by"><fetchIndexElement property="\#($1.text)" type="Binary" order="ascending"/></fetchIndex></entity>"#
      )
    },
    Edit("classes and generated code in place", .current) { text, _ in
      text.replacing(
        #/representedClassName="\.?/#, with: #"codeGenerationType="class" representedClassName="App"#)
    },
    Edit("all attributes required in place", .current, ["MC7026 error"]) { text, _ in
      text.replacing(#"optional="YES" attributeType"#, with: "attributeType")
    },
    Edit("the marks of a merge", .current, ["MC0201 error"]) {
      $1.adding("\n<<<<<<< HEAD\n\(optional)\n=======\n>>>>>>> feature", to: $0)
    },
    Edit("an entity under a parent", .next, ["MC3107 error"]) {
      $0.replacing(
        #"<entity name="\#($1.child)""#, with: #"<entity name="\#($1.child)" parentEntity="\#($1.entity)""#)
    } mend: { text, _ in
      text
    },
    Edit("to-one becomes to-many") {
      $1.inTag($0, "relationship", $1.toOne) { $0.replacing(#"maxCount="1""#, with: #"toMany="YES""#) }
    },
    Edit("to-many becomes to-one", .next, ["MC3108 error"]) {
      $1.inTag($0, "relationship", $1.toMany) { $0.replacing(#"toMany="YES""#, with: #"maxCount="1""#) }
    } mend: { text, _ in
      text
    },
  ]

  @Test(arguments: AppPackage.all)
  func `are found as one cause each, in few lines, and the mend passes`(_ app: AppPackage) throws {
    let turn = AppPackage.all.firstIndex { $0.current == app.current } ?? 0
    func isInTurn(_ place: Int) -> Bool { Fixtures.areWhole || place % AppPackage.all.count == turn }
    try Repository.with { repository in
      let package = try EditedPackage(app, in: repository)
      var table: [String] = []
      func look(_ name: String, _ expected: [String], mends: Bool = false) throws {
        let start = ContinuousClock.now
        let (code, found, lines) = try package.check()
        let isRight =
          mends
          ? code == 0 && !found.contains { $0.hasSuffix("error") }
          : found == expected && code == (expected.contains { $0.hasSuffix("error") } ? 1 : 0) && lines <= 12
        let seconds = ContinuousClock.now - start
        table.append(
          "\(isRight ? "as expected" : "DIFFERENT  ") | \(name) | exit \(code) | \(found.joined(separator: ", ")) | "
            + "\(lines) lines | \(seconds.formatted(.units(allowed: [.milliseconds])))")
        #expect(isRight, "\(app.current), \(name): expected \(expected), found \(found) in \(lines) lines")
      }
      for (place, edit) in Self.edits.enumerated() where isInTurn(place) {
        try package.make(edit, edit.change)
        try look(edit.name, edit.expected)
        if let mend = edit.mend {
          try package.make(edit, mend)
          try look(edit.name + ", mended", [], mends: true)
        }
      }
      for (place, (name, expected, change)) in EditedPackage.others.enumerated() where isInTurn(place) {
        try package.reset()
        try change(package)
        try look(name, expected)
      }
      print(table.joined(separator: "\n"))
    }
  }
}

extension DeveloperEditTests {
  @Test func `a version that cannot be read keeps no other from being compared, nor out of the lock`() throws
  {
    try Repository.with { repository in
      let package = try EditedPackage(AppPackage.all[0], in: repository)
      let elements = "\(package.package)/Old.xcdatamodel/elements"
      try repository.write("bplist00", to: elements)
      try repository.commit("a version from before Xcode 4")
      let untouched = try package.check()
      #expect(untouched.code == 0 && untouched.found == ["MC7031 info"], "\(untouched)")
      let edit = Edit("", .older, []) { $1.adding(Self.optional, to: $0) }
      try package.make(edit, edit.change)
      let edited = try package.check()
      #expect(edited.code == 1 && Set(edited.found) == ["MC7031 info", "MC7026 error"], "\(edited)")
      try package.make(
        Edit("", .next, []) { $1.adding("<attribute name=\"z\" attributeType=\"String\"/>", to: $0) }
      ) {
        $1.adding("<attribute name=\"z\" attributeType=\"String\"/>", to: $0)
      }
      #expect(Set(try package.check().found) == ["MC7031 info", "MC3101 error"])
      try package.reset()
      try repository.write("bplist00 and more", to: elements)
      let unseen = try package.check()
      #expect(unseen.code == 1 && unseen.found.contains("MC7031 error"), "\(unseen)")
      try package.reset()
      for tag in ["v1", "release/1"] { try repository.git("tag", tag) }
      let path = repository.folder.appending(path: package.package).path
      let model = try #require(ModelReader().read(path).model)
      let some = try model.releaseTags(at: path, matching: "v*", seconds: 60)
      #expect(some.released == 5 && some.unmatched == ["release/1"] && some.unreadVersions == ["Old"])
      #expect(try model.releaseTags(at: path, matching: "*", seconds: 60).tagCount == 2)
    }
  }
}

/// A shipping app's package, and what of it is edited.
struct AppPackage: Sendable, CustomTestStringConvertible {
  var source: String
  var (older, current, next) = ("", "", "")
  /// An entity with an optional text, one that is small enough to go, and one without a property of the first's.
  var (entity, text, small, child) = ("", "", "", "")
  /// The tag of an optional number.
  var number: String
  var (toMany, toOne) = ("", "")
  var testDescription: String { current }

  static let all = [
    AppPackage(
      source: "gdombiak+OctoPod/OctoPod/OctoPod.xcdatamodeld", older: "OctoPod v13", current: "OctoPod v15",
      next: "OctoPod v16", entity: "Printer", text: "hostname", small: "BLTouch",
      child: "BLTouch",
      number:
        #"name="position" optional="YES" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES""#,
      toMany: "multiCameras", toOne: "blTouch"),
    AppPackage(
      source: "inaturalist+INaturalistIOS/INaturalistIOS/INaturalist.xcdatamodeld", older: "INaturalist2.15",
      current: "INaturalist2.17", next: "INaturalist2.18", entity: "Project", text: "title",
      small: "DeletedRecord", child: "Fave",
      number: #"name="newsItemCount" optional="YES" attributeType="Integer 32" defaultValueString="0""#,
      toMany: "projectUsers", toOne: "guides"),
  ]

  func inEntity(_ text: String, _ old: String, _ new: String) -> String {
    guard let start = text.range(of: #"<entity name="\#(entity)""#),
      let place = text.range(of: old, range: start.lowerBound..<text.endIndex)
    else { return text }
    return text.replacingCharacters(in: place, with: new)
  }

  func inTag(_ text: String, _ element: String, _ name: String, _ change: (String) -> String) -> String {
    let entity = text.range(of: #"<entity name="\#(entity)""#)?.lowerBound ?? text.startIndex
    func find(_ range: Range<String.Index>) -> Range<String.Index>? {
      text.range(of: #"<\#(element) name="\#(name)""#, range: range)
    }
    guard let start = find(entity..<text.endIndex) ?? find(text.startIndex..<text.endIndex),
      let end = text.range(of: "/>", range: start.upperBound..<text.endIndex)
    else { return text }
    let tag = start.lowerBound..<end.upperBound
    return text.replacingCharacters(in: tag, with: change(String(text[tag])))
  }

  func adding(_ line: String, to text: String) -> String {
    inEntity(text, "syncable=\"YES\">", "syncable=\"YES\">\n        " + line)
  }

  func renaming(_ source: String, with identifier: String) -> String {
    inEntity(source, #"<attribute name="\#(text)" "#, #"<attribute name="fancyName" \#(identifier)"#)
  }

  func renamingEntity(_ text: String, with identifier: String) -> String {
    text.replacing(#"<entity name="\#(small)""#, with: #"<entity name="Fancy"\#(identifier)"#)
      .replacing(#"Entity="\#(small)""#, with: #"Entity="Fancy""#)
  }

  func deletingEntity(_ text: String) -> String {
    guard let start = text.range(of: #"<entity name="\#(small)""#),
      let end = text.range(of: "</entity>", range: start.upperBound..<text.endIndex)
    else { return text }
    return text.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
      .split(separator: "\n").filter { !$0.contains(#"destinationEntity="\#(small)""#) }.joined(
        separator: "\n")
  }
}

/// Some versions of a package in a repository, edited again and again from what the first commit has.
struct EditedPackage {
  let app: AppPackage
  let repository: Repository
  fileprivate let package: String
  private let original: String

  init(_ app: AppPackage, in repository: Repository) throws {
    (self.app, self.repository) = (app, repository)
    let source = Fixtures.url(app.source)
    package = source.lastPathComponent
    original = try String(
      contentsOf: source.appending(path: "\(app.current).xcdatamodel/contents"), encoding: .utf8)
    let names = try FileManager.default.contentsOfDirectory(atPath: source.path).sortedNaturally
    for name in names.filter({ $0.hasSuffix(".xcdatamodel") }).suffix(5) {
      let text = try String(contentsOf: source.appending(path: "\(name)/contents"), encoding: .utf8)
      try repository.write(text, to: "\(package)/\(name)/contents")
    }
    try choose(app.current)
    try repository.commit("base")
  }

  private func contents(_ version: String) -> String { "\(package)/\(version).xcdatamodel/contents" }
  private func path(_ name: String) -> String { repository.folder.appending(path: name).path }

  func choose(_ version: String) throws {
    let list = "<key>_XCCurrentVersionName</key>\n  <string>\(version).xcdatamodel</string>"
    try repository.write(
      "<plist version=\"1.0\"><dict>\n  \(list)\n</dict></plist>\n", to: "\(package)/.xccurrentversion")
  }

  func reset() throws {
    try repository.git("reset", "--hard", "--quiet")
    try repository.git("clean", "-fdq")
  }

  func make(_ edit: DeveloperEditTests.Edit, _ change: (String, AppPackage) -> String) throws {
    try reset()
    switch edit.place {
    case .next:
      try repository.write(change(original, app), to: contents(app.next))
      try choose(app.next)
    case .current: try repository.write(change(original, app), to: contents(app.current))
    case .older:
      let text = try String(contentsOfFile: path(contents(app.older)), encoding: .utf8)
      try repository.write(change(text, app), to: contents(app.older))
    }
  }

  /// Exit code, new findings, and the lines that a person reads.
  func check() throws -> (code: Int32, found: [String], lines: Int) {
    let reports = ["text", "jsonl"].map { path("check.\($0)") }
    defer { for report in reports { try? FileManager.default.removeItem(atPath: report) } }
    let models = FileManager.default.fileExists(atPath: path(package)) ? package : "Shared/\(package)"
    let code = ModelcCommand.run(
      ["check", "-q", "--no-cache", "--format", "markdown", "--against", "HEAD", "--models", path(models)]
        + ["--report", "text=\(reports[0])", "--report", "jsonl=\(reports[1])"])
    let text = try String(contentsOfFile: reports[0], encoding: .utf8)
    let found = try String(contentsOfFile: reports[1], encoding: .utf8).split(separator: "\n").dropLast()
      .map { try JSONDecoder().decode(ReleasedProject.Found.self, from: Data($0.utf8)) }
    let own = found.filter { $0.state == "new" }
    return (code, own.map { "\($0.code) \($0.severity)" }, text.split(separator: "\n").count)
  }

  /// Edits of the package as a whole.
  static var others: [(String, [String], (EditedPackage) throws -> Void)] {
    [
      ("a new version that is not set current", ["MC7035 warning"], { try $0.addNext() }),
      ("the first version set current", ["MC7002 error"], { try $0.choose($0.app.firstOfFive) }),
      (
        "the marks of a merge in the list", ["MC0208 error"],
        { try $0.repository.write("<<<<<<< HEAD\n<plist/>\n", to: "\($0.package)/.xccurrentversion") }
      ),
      (
        "the package moved", [],
        {
          try $0.repository.write("", to: "Shared/.keep")
          try FileManager.default.moveItem(
            atPath: $0.path($0.package), toPath: $0.path("Shared/\($0.package)"))
        }
      ),
      (
        "two older versions deleted", ["MC7027 error"],
        { package in
          for name in [package.app.older, package.app.firstOfFive] {
            try FileManager.default.removeItem(atPath: package.path("\(package.package)/\(name).xcdatamodel"))
          }
        }
      ),
      (
        "an older version that cannot be read, edited", ["MC0201 error"],
        { try $0.repository.write("<model", to: $0.contents($0.app.older)) }
      ),
    ]
  }

  private func addNext() throws {
    try repository.write(app.adding(DeveloperEditTests.optional, to: original), to: contents(app.next))
  }
}

extension AppPackage {
  /// The first of the last five versions.
  fileprivate var firstOfFive: String { current == "OctoPod v15" ? "OctoPod v11" : "INaturalist2.13" }
}
