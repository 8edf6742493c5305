import Foundation
import ReleaseChecks
import TestSupport
import Testing

/// Projects of Xcode's that have a package in their targets, or not.
@Suite("What an app is built with") struct BuildPhaseTests {
  /// How a project says which files a target has.
  enum Form: CaseIterable { case listed, listedInXML, folder }

  private static let version = """
    <model><entity name="Hut" representedClassName="Hut"><attribute name="name" optional="YES" attributeType="String"/>NEW\
    </entity></model>
    """

  /// A package of two versions with a mapping model, and a project two of whose targets have the files.
  private func withApp(_ body: (ReleasedProject) throws -> Void) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let beds = #"<attribute name="beds" optional="YES" attributeType="Integer 32"/>"#
      try project.write(
        Self.version.replacing("NEW", with: ""), to: "App/Huts.xcdatamodeld/Huts.xcdatamodel/contents")
      try project.write(
        Self.version.replacing("NEW", with: beds), to: "App/Huts.xcdatamodeld/Huts 2.xcdatamodel/contents")
      try project.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>Huts 2.xcdatamodel</string></dict></plist>",
        to: "App/Huts.xcdatamodeld/.xccurrentversion")
      try body(project)
    }
  }

  private func object(_ id: String, _ isa: String, _ members: String) -> String {
    "\(id) = {isa = \(isa); \(members)};\n"
  }

  /// - Parameter targets: the files of each.
  private func write(
    _ targets: [String: [String]], _ form: Form, to project: ReleasedProject,
    at path: String = "App.xcodeproj",
    listing listed: [String] = [], group: String? = nil
  ) throws {
    let files = Set(targets.values.joined() + listed).sorted()
    var objects = ""
    for file in files {
      objects += object(
        "F\(file.hashValue.magnitude)", "PBXFileReference", "path = \"\(file)\"; sourceTree = \"<group>\";")
    }
    let names = targets.keys.sorted()
    for name in names {
      let own = targets[name, default: []]
      for file in own {
        objects += object(
          "B\(name)\(file.hashValue.magnitude)", "PBXBuildFile",
          "fileRef = F\(file.hashValue.magnitude); /* \(file) in Sources */")
      }
      let isFolder = form == .folder
      let ids = isFolder ? [] : own.map { "B\(name)\($0.hashValue.magnitude)" }
      objects += object("P\(name)", "PBXSourcesBuildPhase", "files = (\(ids.joined(separator: ", ")));")
      let kind =
        ["Tests": "bundle.unit-test", "Widget": "app-extension", "Kit": "framework"]
        .first { name.hasSuffix($0.key) }?.value ?? "application"
      if let group {
        let settings = "buildSettings = {CODE_SIGN_ENTITLEMENTS = \"$(SRCROOT)/\(name).entitlements\"; };"
        objects += object("C\(name)", "XCBuildConfiguration", settings)
        objects += object("L\(name)", "XCConfigurationList", "buildConfigurations = (C\(name));")
        try project.write(
          "<plist><dict><key>com.apple.security.application-groups</key><array><string>\(group)</string></array></dict></plist>",
          to: "\(name).entitlements")
      }
      // The first target owns the folder; each says where it differs.
      let owns = isFolder && name == names[0]
      let others = owns ? files.filter { !own.contains($0) } : own
      objects += object(
        "X\(name)", "PBXFileSystemSynchronizedBuildFileExceptionSet",
        "target = T\(name); membershipExceptions = (\(others.map { "\"\($0)\"" }.joined(separator: ", ")));")
      objects += object(
        "T\(name)", "PBXNativeTarget",
        "name = \(name); buildConfigurationList = L\(name); buildPhases = (P\(name)); productType = \"com.apple.product-type.\(kind)\"; fileSystemSynchronizedGroups = (\(owns ? "G" : ""));"
      )
    }
    objects +=
      form == .folder
      ? object(
        "G", "PBXFileSystemSynchronizedRootGroup",
        "path = App; sourceTree = \"<group>\"; exceptions = (\(names.map { "X" + $0 }.joined(separator: ", ")));"
      )
      : object(
        "G", "PBXGroup",
        "path = App; sourceTree = \"<group>\"; children = (\(files.map { "F\($0.hashValue.magnitude)" }.joined(separator: ", ")));"
      )
    objects += object("M", "PBXGroup", "children = (G); sourceTree = \"<group>\";")
    objects += object(
      "R", "PBXProject",
      "mainGroup = M; projectDirPath = \"\"; targets = (\(names.map { "T" + $0 }.joined(separator: ", ")));")
    var text = "// !$*UTF8*$!\n{ objects = {\n\(objects)}; rootObject = R /* Project object */; }\n"
    if form == .listedInXML { text = try inXML(text) }
    try project.write(text, to: path + "/project.pbxproj")
  }

  /// The same list in the form that other tools write.
  private func inXML(_ text: String) throws -> String {
    let list = try unsafe PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    return String(decoding: data, as: UTF8.self)
  }

  private func codes(_ project: ReleasedProject) throws -> [String] {
    try project.check("--level", "path").found.map(\.code).filter { $0.hasPrefix("MC704") }
  }

  private let package = "Huts.xcdatamodeld"
  private let mapping = "Step.xcmappingmodel"

  @Test(arguments: Form.allCases)
  func `a package in no target, in one for tests only, in one`(_ form: Form) throws {
    try withApp { project in
      for (targets, expected) in [
        (["App": [package]], []), (["App": [], "AppTests": [package]], []),
        (["App": ["a.swift"]], ["MC7040"]),
      ] as [([String: [String]], [String])] {
        try write(targets, form, to: project, listing: [package])
        #expect(try codes(project) == expected, "\(targets)")
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `a mapping model that no target has, or not all`(_ form: Form) throws {
    try withApp { project in
      try project.write("<database/>", to: "App/\(mapping)/xcmapping.xml")
      for (targets, expected) in [
        (["App": [package, mapping]], []), (["App": [package], "Widget": []], ["MC7041"]),
        (["App": [package], "AppTests": [package, mapping]], ["MC7041"]),
        (["App": [package, mapping], "Widget": [package]], ["MC7042"]),
        (["App": [package, mapping], "AppTests": [package]], []),
        (["App": [package], "Other": [mapping]], ["MC7041"]),
        (["App": [package], "Widget": [mapping]], ["MC7041"]),
        // A program finds what its frameworks have, and they what it has.
        (["App": [package], "Kit": [mapping]], []), (["App": [mapping], "Kit": [package]], []),
      ] as [([String: [String]], [String])] {
        try write(targets, form, to: project, listing: [package, mapping])
        #expect(try codes(project) == expected, "\(targets)")
      }
    }
  }

  @Test func `a package in no target is checked all the same`() throws {
    try withApp { project in
      try write(["App": ["a.swift"]], .listed, to: project, listing: [package])
      let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
      try project.edit("App/\(package)/Huts 2.xcdatamodel/contents", name, "")
      let codes = try Set(project.check().found.map(\.code))
      #expect(codes.contains("MC7040") && !codes.isDisjoint(with: ["MC7008", "MC3204"]), "\(codes)")
    }
  }

  @Test func `the commit that took it out is named`() throws {
    try withApp { project in
      try write(["App": [package]], .listed, to: project)
      try project.commit("an app")
      try write(["App": []], .listed, to: project, listing: [package])
      try project.commit("Merge branch 'next'")
      let found = try project.check("--level", "path").found
      #expect(
        found.contains {
          $0.code == "MC7040" && $0.notes.contains { $0.message.contains("Merge branch 'next'") }
        })
    }
  }

  @Test func `a commit that put it in is not named where an edit took it out`() throws {
    try withApp { project in
      try write(["App": [package]], .listed, to: project)
      try project.commit("an app")
      try write(["App": []], .listed, to: project, listing: [package])
      let found = try project.check("--level", "path").found.filter { $0.code == "MC7040" }
      #expect(
        found.count == 1 && found[0].notes.contains { $0.message.contains("not committed") }, "\(found)")
    }
  }

  @Test func `two targets with packages of one name that differ`() throws {
    try withApp { project in
      let widget = "../Widget/\(package)"
      try FileManager.default.createDirectory(
        atPath: project.file("Widget"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: project.file("App/\(package)"), toPath: project.file("Widget/\(package)"))
      try write(["App": [package], "Widget": [widget]], .listed, to: project)
      let place = "App/\(package)"
      func codes() throws -> [String] {
        try project.check("--level", "path", models: place).found.map(\.code).filter { $0.hasPrefix("MC704") }
      }
      #expect(try codes() == [])
      try project.edit("Widget/\(package)/.xccurrentversion", "Huts 2.", "Huts.")
      #expect(try codes() == ["MC7042"])
      func notes() throws -> [String] {
        try project.check("--level", "path", models: place).found.filter { $0.code == "MC7042" }
          .flatMap(\.notes).map(\.message)
      }
      #expect(try !notes().contains { $0.contains("app group") })
      try write(["App": [package], "Widget": [widget]], .listed, to: project, group: "group.huts")
      #expect(try notes().contains { $0.contains("'group.huts'") })
    }
  }

  @Test func `an app and its widget in one app group`() throws {
    try withApp { project in
      let place = project.file("App/\(package)")
      try write(["App": [package], "Widget": [package]], .listed, to: project)
      #expect(BuildPhases(around: place).sharing(place).isEmpty)
      try write(
        ["App": [package], "AppTests": [package], "Widget": [package]], .listed, to: project,
        group: "group.huts")
      let shared = BuildPhases(around: place).sharing(place)
      #expect(shared.map(\.group) == ["group.huts"] && shared.map(\.apps) == [["App"]])
      #expect(shared.map(\.extensions) == [["Widget"]])
      // Without the model a program does not open the store.
      try write(["App": [package], "Widget": ["a.swift"]], .listed, to: project, group: "group.huts")
      #expect(BuildPhases(around: place).sharing(place).isEmpty)
      for text in [
        "", "<plist><array/></plist>",
        "<plist><dict><key>com.apple.security.application-groups</key><string>x</string></dict></plist>",
      ] {
        try project.write(text, to: "App.entitlements")
        #expect(BuildPhases(around: place).sharing(place).isEmpty)
      }
    }
  }

  @Test(arguments: [
    ("App/Package.swift", "// swift-tools-version: 6.0", []),
    ("project.yml", "targets:\n  App:\n    sources: [App]\n", []),
    ("Project.swift", #"resources: ["App/**/*.xcdatamodeld"]"#, []),
    ("Project.swift", #"resources: ["Other/**"]"#, ["MC7040"]),
    ("Huts.podspec", #"s.resources = "App/Huts.xcdatamodeld""#, []),
  ])
  func `another tool's manifest may take it`(_ file: String, _ text: String, _ expected: [String]) throws {
    try withApp { project in
      try write(["App": []], .listed, to: project, listing: [package])
      try project.write(text, to: file)
      #expect(try codes(project) == expected)
    }
  }

  @Test func `no project, an unreadable one, one with conflicts, one that nests without end`() throws {
    try withApp { project in
      #expect(try codes(project) == [])
      let nested = String(repeating: "(", count: 200_000)
      for text in [
        "", "{", "<<<<<<< HEAD", "{objects = {};\n<<<<<<< HEAD\n}", nested, "{a = \(nested)",
        "{objects = {}; rootObject = R;",
      ] {
        try project.write(text, to: "App.xcodeproj/project.pbxproj")
        #expect(try codes(project) == ["MC7043"], "\(text.prefix(30))")
      }
      // A group that holds itself, and files that are not there.
      try project.write(
        "{objects = {R = {mainGroup = G; targets = (T, U);}; G = {children = (G, H);}; H = {children = (G);}; T = {name = T; buildPhases = (P);}; P = {isa = PBXSourcesBuildPhase; files = (Q);};}; rootObject = R;}",
        to: "App.xcodeproj/project.pbxproj")
      #expect(try codes(project) == ["MC7040"])
    }
  }
}
