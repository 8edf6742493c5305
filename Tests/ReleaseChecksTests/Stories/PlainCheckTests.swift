import Foundation
import ModelCommands
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

/// What a check tells of a project as it is.
@Suite("Findings about a whole model") struct PlainCheckTests {
  @Test func `the current version is the first of many`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let package = "App.xcdatamodeld"
      let names = ["App"] + (2...4).map { "App \($0)" }
      for (index, name) in names.enumerated() {
        let attributes = (0...index).map {
          #"<attribute name="a\#($0)" optional="YES" attributeType="String"/>"#
        }
        try project.write(
          #"<model><entity name="Hut">\#(attributes.joined())</entity></model>"#,
          to: "\(package)/\(name).xcdatamodel/contents")
      }
      for (current, found) in [("App", ["MC7036"]), ("App 4", [])] {
        try project.write(
          "<plist><dict><key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string></dict></plist>",
          to: "\(package)/.xccurrentversion")
        let run = try project.check("--level", "path", models: package)
        let own = run.found.filter { $0.code != "MC7011" }
        #expect(run.code == 0 && own.map(\.code) == found, "\(run)")
        #expect(own.allSatisfy { $0.place(in: project) == "\(package)/.xccurrentversion:1" })
        #expect(own.isEmpty || run.found.first == own.first)
      }
    }
  }

  @Test(arguments: [("Integer 32", ["MC3103 warning"]), ("String", [String]())])
  func `a step that cannot be inferred is a warning without a lock`(_ type: String, _ expected: [String])
    throws
  {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let package = "App.xcdatamodeld"
      func write(_ name: String, _ type: String) throws {
        try project.write(
          #"<model><entity name="Hut"><attribute name="a" optional="YES" attributeType="\#(type)"/></entity>"#
            + (name == "App 3" ? #"<entity name="Stay"/></model>"# : "</model>"),
          to: "\(package)/\(name).xcdatamodel/contents")
      }
      for (name, type) in [("App", "String"), ("App 2", type), ("App 3", type)] { try write(name, type) }
      try project.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>App 3.xcdatamodel</string></dict></plist>",
        to: "\(package)/.xccurrentversion")
      let run = try project.check("--level", "path", models: package)
      // Two equal versions are an old finding.
      let stopped = run.found.filter { $0.code != "MC7011" && $0.severity != "info" && $0.state == "new" }
      #expect(run.code == 0 && stopped.map { "\($0.code) \($0.severity)" } == expected, "\(run)")
      let note = "if users have them, stores of 1 version cannot be migrated: App"
      #expect(stopped.allSatisfy { $0.notes.last?.message == note }, "\(run)")
      let command = stopped.first?.help.last ?? "'App 2' 'App 3'` freezes"
      #expect(command.contains("'App 2' 'App 3'` freezes") && !command.contains(" App 'App"), "\(command)")
      let help = run.found.first { $0.code == "MC7011" }?.help.joined() ?? ""
      #expect(help.contains("App 'App 2' 'App 3'` freezes"), "\(help)")
      // What a mapping model leads past was never released.
      try write("App 3", "Date")
      try project.write("migratedBy: modelc\n", to: "modelc.yaml")
      try project.write(
        "from: App\nto: App 3\nentityMappings:\n  HutToHut:\n    source: Hut\n    destination: Hut\n"
          + "    attributes:\n      a: nil\n", to: "Migrations/App/App-App3.yaml")
      #expect(try !project.check("--level", "path").found.contains { $0.code == "MC3103" })
    }
  }

  @Test func `the command to lock names a version that cannot be read, and each for an empty lock`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func help() throws -> String {
        try project.check().found.first { $0.code == "MC7011" }?.help.joined() ?? ""
      }
      try project.write("current: V1\nversions: [V1]\n", to: "Models/Huts/versions.yaml")
      try project.write("entities: [\n", to: "Models/Huts/V1.yaml")
      let unread = try help()
      #expect(unread.contains("V1` freezes the released version"), "\(unread)")
      for version in ["V1", "V2"] {
        try project.write(ReleasedProject.first, to: "Models/Huts/\(version).yaml")
      }
      try project.write("current: V2\nversions: [V1, V2]\n", to: "Models/Huts/versions.yaml")
      try project.write(ReleaseLock.total([]) + "\n", to: "Models/Huts/released.lock")
      let empty = try help()
      #expect(empty.contains("V1 V2` freezes released versions"), "\(empty)")
      try project.write(ReleasedProject.first, to: "Models/Huts/fix.yaml")
      try project.write(
        "current: V2\nversions: [V1, {name: fix, from: V1}, {name: V2, from: [V1, fix]}]\n",
        to: "Models/Huts/versions.yaml")
      let branched = try help()
      #expect(branched.contains("V1 fix V2` freezes released versions"), "\(branched)")
    }
  }

  @Test func `an identifier that matches nothing is reported although the name is still there`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let package = "App.xcdatamodeld"
      let more = #"elementID="nme"/><attribute name="b" optional="YES" attributeType="String""#
      for (name, rest) in [("App", ""), ("App 2", more)] {
        try project.write(
          #"<model><entity name="Hut"><attribute name="name" optional="YES" attributeType="String" "#
            + "\(rest)/></entity></model>",
          to: "\(package)/\(name).xcdatamodel/contents")
      }
      try project.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>App 2.xcdatamodel</string></dict></plist>",
        to: "\(package)/.xccurrentversion")
      let run = try project.check("--level", "path", models: package)
      let own = run.found.filter { $0.code == "MC3201" }
      #expect(own.map { $0.place(in: project) } == ["\(package)/App 2.xcdatamodel/contents:1"], "\(run)")
      #expect(own.first?.help.last?.hasPrefix("if values are to start anew, write into") == true, "\(run)")
    }
  }

  @Test func `a mapping file that leads back in a guessed order`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let package = "App.xcdatamodeld"
      for (index, name) in ["Jan", "Feb", "Mar"].enumerated() {
        let attributes = (0...index).map {
          #"<attribute name="a\#($0)" optional="YES" attributeType="String"/>"#
        }
        try project.write(
          #"<model><entity name="Hut">\#(attributes.joined())</entity></model>"#,
          to: "\(package)/\(name).xcdatamodel/contents")
      }
      try project.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>Mar.xcdatamodel</string></dict></plist>",
        to: "\(package)/.xccurrentversion")
      try project.write(
        "from: Jan\nto: Feb\nentityMappings:\n  HutToHut: {source: Hut, destination: Hut}\n",
        to: "Migrations/App/Jan-Feb.yaml")
      for (order, severities) in [
        ("", ["warning"]), ("versions: [Jan, Feb, Mar]\n", []), ("versions: [Feb, Jan, Mar]\n", []),
      ] {
        try project.write("migratedBy: modelc\n\(order)", to: "modelc.yaml")
        let run = try project.check("--level", "path")
        let unused = run.found.filter { $0.code == "MC4105" }
        #expect(unused.map(\.severity) == severities, "\(run)")
        #expect(unused.allSatisfy { $0.help.last?.hasPrefix("if not, list them") == true })
      }
    }
  }

  @Test func `without a current version all of them are advised to be released`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(ReleasedProject.first, to: "Models/Huts/V1.yaml")
      try project.write(ReleasedProject.second, to: "Models/Huts/V2.yaml")
      try project.write("versions: [V1, V2]\n", to: "Models/Huts/versions.yaml")
      let found = try project.check().found.filter { $0.code == "MC7011" }
      #expect(found.first?.help.first?.contains(" V1 V2`") == true, "\(found)")
    }
  }

  @Test func `a model and a migration test that are a folder too far down`() throws {
    try ReleasedProject.with { project in
      let boats = "Models/more/Boats"
      try project.write("entities: {Boat: {attributes: {name: string?}}}\n", to: "\(boats)/V1.yaml")
      try project.write("current: V1\nversions: [V1]\n", to: "\(boats)/versions.yaml")
      let run = try project.check()
      let unread = run.found.filter { $0.message.contains("is a model that nothing reads") }
      #expect(run.code == 0 && unread.map(\.severity) == ["warning"], "\(run)")
      #expect(unread.first?.help.first?.hasSuffix("/Models/Boats`") == true, "\(unread)")
      // Moved, it would be in the folder of another model.
      try project.write(ReleasedProject.first, to: "Models/more/Huts/V1.yaml")
      try project.write("current: V1\nversions: [V1]\n", to: "Models/more/Huts/versions.yaml")
      let copies = try project.check().found.filter { $0.message.contains("Huts' is a model that nothing") }
      #expect(copies.map { $0.help.first?.hasPrefix("delete it, or move it out") } == [true], "\(copies)")
      let test = "from: V1\nobjects: {Hut: {p1: {name: a}}}\nexpect: {counts: {Hut: 1}}\n"
      try project.write(test, to: "Tests/Migrations/Huts/more/V1.yaml")
      let tested = try project.check()
      let lost = tested.found.filter { $0.code == "MC7025" }
      #expect(tested.code == 0 && lost.map(\.severity) == ["warning"], "\(tested)")
      try project.write(test, to: "Tests/Migrations/Huts/V1.yaml")
      #expect(ModelcCommand.run(["test", "-q", "-C", project.path]) == 0)
    }
  }

  @Test func `a released version under another name is told as such`() throws {
    try ReleasedProject.with { project in
      try project.repository.git("mv", "Models/Huts/V2.yaml", "Models/Huts/2.yaml")
      try project.edit("Models/Huts/versions.yaml", "[V1, V2, V3]", "[V1, '2', V3]")
      let gone = try project.check("--level", "path").found.filter { $0.code == "MC7004" }
      let note = "'2' has the same hashes, so its stores are still recognized"
      #expect(gone.map(\.notes.last?.message) == [note], "\(gone)")
      let help = gone.first?.help ?? []
      #expect(help.first == "if '2' is the same version, name it 'V2' again", "\(gone)")
      #expect(help.last?.hasPrefix("or restore it: ") == true, "\(gone)")
    }
  }

  @Test func `in a guessed order versions behind the current one are checked, and may be released`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let package = "App.xcdatamodeld"
      for (name, type) in [("Feb", ""), ("Jan", "Date"), ("Mar", "String")] {
        let a = type.isEmpty ? "" : #"<attribute name="a" optional="YES" attributeType="\#(type)"/>"#
        try project.write(
          "<model><entity name=\"Hut\">\(a)</entity></model>", to: "\(package)/\(name).xcdatamodel/contents")
      }
      try project.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>Jan.xcdatamodel</string></dict></plist>",
        to: "\(package)/.xccurrentversion")
      let open = try project.check("--level", "path", models: package)
      let stopped = open.found.filter { $0.code == "MC3103" }
      let note = "if users have them, stores of 1 version cannot be migrated: Mar"
      #expect(stopped.map(\.severity) == ["warning"], "\(open)")
      #expect(stopped.first?.notes.last?.message == note, "\(open)")
      let help = open.found.first { $0.code == "MC7011" }?.help.joined() ?? ""
      #expect(help.contains("Feb Jan Mar` freezes"), "\(help)")
      let path = project.file(package)
      let model = try #require(ModelReader().read(path).model)
      _ = try model.releaseVersions(["Mar", "Jan"], at: path, tag: nil, date: "2026-01-31", rows: nil)
      let locked = try project.check("--level", "path", models: package)
      let errors = locked.found.filter { $0.severity == "error" }.map(\.code)
      #expect(locked.code == 1 && errors.contains("MC3103") && !errors.contains("MC7002"), "\(locked)")
    }
  }

  @Test func `a model that the base does not have`() throws {
    try ReleasedProject.with { project in
      let boats = "entities:\n  Boat: {attributes: {name: string?}}\n"
      try project.write(boats, to: "Models/Boats/V1.yaml")
      // Nobody has a store of a new model: a step that cannot be inferred stops none.
      try project.write(boats.replacing("string?", with: "integer16?"), to: "Models/Boats/V2.yaml")
      try project.write("current: V2\nversions: [V1, V2]\n", to: "Models/Boats/versions.yaml")
      try project.commit("another model")
      let run = try project.check("--level", "path", "--against", "HEAD~1")
      let found = run.found.filter { $0.code == "MC7050" }
      #expect(run.code == 0 && found.map(\.severity) == ["info"], "\(run)")
      #expect(found.map { $0.place(in: project) } == ["Models/Boats/versions.yaml:1"])
      #expect(
        !(try project.check("--level", "path", "--against", "HEAD")).found.contains { $0.code == "MC7050" })
    }
  }

  /// An edit of a released version, which several rules have something to say about.
  @Test func `one cause is one finding in every report`() throws {
    try ReleasedProject.with { project in
      let file = "Models/Huts/V1.yaml"
      try project.edit(file, "beds: integer16 = 0", "beds: string?")
      try project.edit(file, "      note: string?\n", "      note: date\n")
      try project.edit(file, "      warden: string?\n", "")
      let reports = ["sarif", "gitlab", "junit"]
      let found = try project.check(
        "--level", "path", arguments: reports.flatMap { ["--report", "\($0)=\(project.file($0))"] }
      ).found.filter { $0.state == "new" }
      #expect(found.map(\.code) == ["MC7001"], "\(found)")
      let texts = try reports.map { try String(contentsOfFile: project.file($0), encoding: .utf8) }
      for (report, text) in zip(reports, texts) {
        let marks = ["sarif": "\"ruleId\"", "gitlab": "\"check_name\"", "junit": "[MC"]
        let count = text.split(separator: marks[report] ?? "?").count - 1
        #expect(count == found.count, "\(report): \(text)")
      }
    }
  }

  @Test func `a store that is named is of one of the models, not of each`() throws {
    try ReleasedProject.with { project in
      let version = "Models/Diary/V1.yaml"
      try project.write("entities: {Entry: {attributes: {text: string?}}}\n", to: version)
      try project.write("current: V1\nversions: [V1]\n", to: "Models/Diary/versions.yaml")
      let store = project.file("D.sqlite")
      let fixture = ["fixture", "V1", "--model", "Diary", "--rows", "5", "-q", "-C", project.path]
      #expect(ModelcCommand.run(fixture + ["-o", store]) == 0)
      func strange() throws -> [ReleasedProject.Found] {
        try project.check("--store", store).found.filter { $0.code == "MC7009" && $0.severity == "error" }
      }
      #expect(try strange() == [])
      try project.edit(version, "string?", "date?")
      #expect(try strange() != [])
    }
  }

  @Test func `a refusal is a finding in every report`() throws {
    try ReleasedProject.with { project in
      let reports = ["sarif", "gitlab", "junit", "github", "jsonl", "markdown"]
      let files = reports.flatMap { ["--report", "\($0)=\(project.file($0))"] }
      let check = ["check", "-q", "-C", project.path, "--against", "nowhere"]
      #expect(ModelcCommand.run(check + files) == 2)
      let texts = try reports.map { try String(contentsOfFile: project.file($0), encoding: .utf8) }
      #expect(texts.allSatisfy { $0.contains("MC0014") && $0.contains("nowhere") }, "\(texts)")
      #expect(texts[1].hasPrefix("[") && texts[2].hasPrefix("<?xml"))
      #expect(texts[4].split(separator: "\n").count == 2)
    }
  }
}
