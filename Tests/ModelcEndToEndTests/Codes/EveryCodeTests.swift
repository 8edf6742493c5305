import Foundation
import ModelCommands
import TestSupport
import Testing

/// Every code of what a model's files say is raised by the program, with its place, and no code is left out.
@Suite("Every code is raised") struct EveryCodeTests {
  /// Codes that no file of a model can raise; each has a suite of its own beside what raises it.
  private static let exempt: [String: String] = [
    "MC0014": "a git revision that cannot be read", "MC0015": "of a log",
    "MC0018": "of the machine",
    "MC0025": "of a folder: NextStepTests", "MC0019": "of a clone",
    "MC0026": "of a picture: DiagramTests",
    "MC0209": "raised where Xcode's XML is written",
    "MC2207": "of an app: AppBuildTests", "MC0301": "of a file of objects", "MC0302": "of a file of objects",
    "MC0303": "of a file of objects",
    "MC1607": "raised by a fetch from a store",
  ]

  @Test func `as many codes are raised as the catalogue has`() throws {
    var raised: Set<String> = []
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      raised.formUnion(try raisedByModels(place))
      raised.formUnion(try raisedByPackages(place))
      raised.formUnion(try raisedByCommands(place))
      raised.formUnion(try raisedByObjects(place))
    }
    let wanted = Set(EveryMistake.catalogued.map(\.code)).subtracting(Self.exempt.keys)
    print("codes raised: \(raised.intersection(wanted).count), codes in the catalogue: \(wanted.count)")
    #expect(wanted.subtracting(raised).sorted() == [])
    #expect(raised.intersection(wanted).count == wanted.count)
    #expect(wanted.count >= 100)
  }

  /// One compile of a project with a model for each code; a code counts where its own model raises it.
  private func raisedByModels(_ place: Workplace) throws -> Set<String> {
    try EveryMistake.write(to: place.url("P"))
    let run = try place.modelc("compile", "-v", "--format", "json", "-C", "P")
    // One of the mistakes is a missing file.
    #expect(run.code == 2)
    return try codes(run) { "P/Models/\($0)/" }
  }

  private func raisedByPackages(_ place: Workplace) throws -> Set<String> {
    try EveryMistake.writePackages(to: place.folder)
    let packages = try FileManager.default.contentsOfDirectory(atPath: place.url("X").path).sorted()
    let run = try Modelc.run(
      ["compile", "-v", "--format", "json"] + packages.map { "X/\($0)" }, in: place.folder)
    return try codes(run) { "X/\($0).xcdatamodeld" }
  }

  private func codes(_ run: Modelc.Run, in path: (String) -> String) throws -> Set<String> {
    let found = try run.decoded(as: RefusalRecord.self).diagnostics
    return Set(found.filter { $0.file?.hasPrefix(path($0.code)) == true }.map(\.code))
  }

  /// What needs a command line of its own.
  private func raisedByCommands(_ place: Workplace) throws -> Set<String> {
    expectSuccess(try place.modelc("init", "Own"))
    try place.write("# mine\n", to: "Own/Models/Own/V1.yaml")
    try place.write("entities: {E: {attributes: {a: string}}}\n", to: "C/Models/M/V1.yaml")
    try place.write("current: V1\nversions: [V1]\n", to: "C/Models/M/versions.yaml")
    try place.write("notes", to: "Taken/M.momd/README")
    let long = String(repeating: "m", count: 220)
    try place.write("entities: {}\n", to: "L/Models/\(long)/V1.yaml")
    try place.write("current: V1\nversions: [V1]\n", to: "L/Models/\(long)/versions.yaml")
    expectSuccess(try place.modelc("compile", "-C", "C", "-o", "B"))
    expectSuccess(try place.modelc("compile", "-C", "C", "-o", "D"))
    try place.write("damaged", to: "D/M.momd/V1.mom")
    try recordOtherHashes(in: place.url("B/M.momd/VersionInfo.plist"))
    try place.write(#"<model><entity name="E"/></model>"#, to: "S/A.xcdatamodeld/A.xcdatamodel/contents")
    try place.write("versions: [A, A 2]\n", to: "S/modelc.yaml")
    try place.write("notes: []\n", to: "notes.yaml")
    try place.write("entities: &all {}\n", to: "anchor.yaml")
    let runs: [(code: String, run: Modelc.Run)] = [
      ("MC2111", try place.modelc("compile", "S/A.xcdatamodeld")),
      ("MC0012", try place.modelc("init", "Own")), ("MC0013", try place.modelc("demo", "Own")),
      ("MC0016", try place.modelc("format", "notes.yaml")),
      ("MC0017", try place.modelc("format", "anchor.yaml")),
      ("MC2107", try place.modelc("compile", "X/MC2107.xcdatamodeld", "-o", "B")),
      ("MC2201", try place.modelc("compile", "--check", "-C", "C")),
      ("MC2202", try place.modelc("adopt", "B/M.momd", "-C", "N")),
      ("MC2203", try place.modelc("inspect", "D/M.momd")),
      ("MC2205", try place.modelc("compile", "-C", "C", "-o", "Taken")),
      ("MC2206", try place.modelc("compile", "-C", "L")),
    ]
    for (code, run) in runs { #expect(run.errors.contains(code), "\(run)") }
    return Set(runs.filter { $0.run.errors.contains($0.code) }.map(\.code))
  }

  /// What a file of objects, a package to be written and a fetch request may do wrong.
  private func raisedByObjects(_ place: Workplace) throws -> Set<String> {
    try place.write(
      """
      entities:
        E:
          attributes: {n: {type: integer16?, max: 5, rules: [{predicate: 'SELF != 3'}]}}
          relationships: {f: {to: F, inverse: e}}
        F: {relationships: {e: {toMany: E, inverse: f}}}
      fetchRequests: {open: {entity: E, predicate: 'FUNCTION(SELF, "isOpen") == 1'}}
      """, to: "O/Models/M/V1.yaml")
    try place.write("current: V1\nversions: [V1]\n", to: "O/Models/M/versions.yaml")
    func fixture(_ objects: String) throws -> Modelc.Run {
      try place.write(objects, to: "objects.yaml")
      return try place.modelc("fixture", "V1", "--objects", "objects.yaml", "-o", "o.sqlite", "-C", "O")
    }
    var runs: [(code: String, run: Modelc.Run)] = [
      ("MC0014", try place.modelc("diff", "HEAD~1:O/Models/M", "O/Models/M")),
      ("MC0209", try place.modelc("export", "--as", "xcdatamodeld", "-o", "O.xcdatamodeld", "-C", "O")),
      ("MC2620", try place.modelc("export", "--as", "swiftdata", "-o", "O.swift", "-C", "O")),
      ("MC0301", try fixture("E: {p1: {f: F/p1}}\n")), ("MC0302", try fixture("E: {p1: {n: 9}}\n")),
      ("MC0303", try fixture("E: {p1: {f: null}}\nF: {p1: {e: [E/p1]}}\n")),
    ]
    expectSuccess(try fixture("E: {p1: {n: 1}}\n"))
    runs.append(("MC1607", try place.modelc("inspect", "o.sqlite", "--fetch", "open", "-C", "O")))
    for (code, run) in runs { #expect(run.stderr.contains("[\(code)]"), "\(run)") }
    return Set(runs.filter { $0.run.stderr.contains("[\($0.code)]") }.map(\.code))
  }

  /// The list of another build beside the model.
  private func recordOtherHashes(in list: URL) throws {
    let data = try Data(contentsOf: list)
    let read = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    var info = try #require(read as? [String: Any])
    info["NSManagedObjectModel_VersionHashes"] = ["V1": ["E": Data(repeating: 7, count: 32)]]
    try PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0).write(to: list)
  }

  @Test func `the page of a project with one mistake of each kind`() throws {
    try withTemporaryFolder { folder in
      try EveryMistake.write(to: folder)
      let run = try Modelc.run("compile", "-v", in: folder)
      #expect(run.code == 2 && run.stdout.isEmpty)
      try Snapshot(name: "everyMistake.txt").expect(run.stderr)
    }
  }

  @Test func `every finding of that page has its code, place, line and mark`() throws {
    try withTemporaryFolder { folder in
      try EveryMistake.write(to: folder)
      let lines = try Modelc.run("compile", "-v", in: folder).stderr.components(separatedBy: "\n")
      var count = 0
      for (index, line) in lines.enumerated() {
        guard
          let head = line.firstMatch(of: #/^(?:(.+):(\d+):(\d+): )?(error|warning|info)\[(MC\d{4})\]: \S/#)
        else {
          continue
        }
        count += 1
        #expect(head.1 != nil, "\(line)")
        // A file that cannot be read has no lines to show.
        if ["MC0008", "MC0009"].contains(head.5) { continue }
        let number = head.2 ?? ""
        #expect(lines[index + 1].hasPrefix("  \(number) |"), "\(line)")
        #expect(lines[index + 2].contains("^"), "\(line)")
      }
      #expect(count > 90)
    }
  }
}
