import Foundation
import GRDB
import ModelCommands
import TestSupport
import Testing

/// What a finding tells to do is done as it is printed, by a shell or as the edit that is named, and the finding is gone.
///
/// The cases stand in `nextSteps.txt`; its head explains the form.
@Suite("Every next step works") struct NextStepTests {
  static let cases = NextStep.read()

  @Test(arguments: cases.filter(\.canBeTried))
  func `what is printed is done, and the finding is gone`(_ step: NextStep) throws {
    try withTemporaryFolder { folder in
      let start = folder.appending(path: "start")
      try FolderTemplates.write("next steps", to: start) { try NextStep.prepare($0) }
      for action in step.setup { try action.run(in: start, of: step, printed: "") }
      for (number, way) in step.ways.enumerated() {
        let copy = folder.appending(path: "way \(number)")
        try FileManager.default.copyItem(at: start, to: copy)
        let found = step.finding(in: try shell(step.question, in: copy).text)
        guard !found.isEmpty else {
          Issue.record("\(step.code) is not raised by \(step.question)")
          return
        }
        var printed = found
        for action in way { printed += try action.run(in: copy, of: step, printed: printed) }
        // What only shows something fixes nothing, and an option was given to the question itself.
        if way.allSatisfy({ $0.word == "looks" }) || way.last?.word == "adds" { continue }
        let after = try shell(step.question, in: copy)
        #expect(step.finding(in: after.text).isEmpty, "still there, way \(number + 1): \(after.text)")
        #expect([0, 1, 3].contains(after.code), "\(after.text)")
      }
    }
  }

  @Test func `every code has a step that is tried, an example that is fixed, or a reason why it has none`() {
    let tried = Set(Self.cases.map(\.code))
    let shown = Set(catalogue.filter { $0.example.contains("Fixed:") }.map(\.code))
    let excused = Set(NextStep.withoutStep.flatMap(\.value))
    let all = Set(catalogue.map(\.code))
    #expect(all.subtracting(tried).subtracting(shown).subtracting(excused).sorted() == [])
    #expect(excused.intersection(tried).sorted() == [], "these are tried: take them off the list")
    #expect(excused.subtracting(all).sorted() == [])
    print(
      "codes: \(all.count), tried \(tried.count), shown by examples \(shown.count), without \(excused.count)")
    #expect(Self.cases.count > 70)
  }
}

/// A situation in which a finding is raised, and the ways out that it prints.
struct NextStep: Sendable, CustomTestStringConvertible {
  var code: String
  var name: String
  var setup: [Action] = []
  /// The command that raises it.
  var question = ""
  var ways: [[Action]] = [[]]

  var testDescription: String { "\(code) \(name)" }

  /// Whether modelc was built with what the step is about.
  var canBeTried: Bool {
    #if SwiftData
      true
    #else
      !code.hasPrefix("MC26")
    #endif
  }

  /// The lines of the output that are about the finding, with all commands after it.
  func finding(in text: String) -> String {
    var isOwn = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if !line.hasPrefix("  "), let head = line.firstMatch(of: #/(?:error|warning|info)\[(MC\d{4})\]/#) {
        isOwn = head.1 == code
      } else if !line.isEmpty, !line.hasPrefix(" ") {
        isOwn = false
      }
      return isOwn
    }.joined(separator: "\n")
  }

  struct Action: Sendable {
    var word: String
    var text: String
  }
}

extension NextStep {
  /// Codes for which nothing is printed that could be typed, or that a fresh folder cannot raise, by the reason.
  static let withoutStep: [String: [String]] = [
    "the file comes back from where it is kept, or is fixed by hand": [
      "MC0008", "MC0012", "MC0013", "MC0015", "MC0016", "MC0017", "MC0201", "MC0202", "MC0203", "MC0204",
      "MC0205",
      "MC0206", "MC0207", "MC0208", "MC0209", "MC2107", "MC2202", "MC2203", "MC2205", "MC2206",
    ],
    "a decision about the model or the mapping, in the user's own words": [
      "MC1112", "MC6202", "MC6203", "MC7050", "MC1103", "MC1109", "MC1111", "MC1607", "MC2606", "MC2612",
      "MC2620", "MC3102", "MC3105", "MC3109",
      "MC3110",
      "MC3115", "MC3117", "MC3118", "MC3119", "MC3120", "MC3125", "MC3126", "MC3127", "MC3302", "MC3303",
      "MC3410",
      "MC4102",
      "MC4103", "MC4104", "MC4106", "MC4107", "MC4108", "MC4109", "MC4110", "MC4112", "MC4202",
      "MC4203",
      "MC4204", "MC4210",
      "MC4205", "MC4206", "MC4207", "MC5110", "MC5501", "MC5502", "MC7003", "MC7005", "MC7006", "MC7012",
      "MC7013",
      "MC7014",
      "MC7017", "MC7019", "MC7032", "MC7034", "MC7044",
    ],
    "another option of the command, which its own suite tries": [
      "MC2621", "MC3405", "MC3409", "MC5309", "MC6403", "MC6504", "MC6510", "MC6601", "MC6602",
      "MC7051", "MC0026",
    ],
    "Swift, which is built elsewhere: OwnModelcTests, CustomMigrationTests": [
      "MC2600", "MC3408", "MC4201", "MC4301", "MC4302", "MC4303", "MC4304", "MC4305", "MC4306",
    ],
    "the app's or the machine's part": [
      "MC4211", "MC5403", "MC0018", "MC5001", "MC5003", "MC5004", "MC5005", "MC5107", "MC5109", "MC5201",
      "MC5202",
      "MC5304",
      "MC5305",
      "MC5306", "MC5307", "MC5308", "MC5401", "MC5402", "MC6002", "MC6003", "MC6004", "MC6005", "MC6101",
      "MC6102",
      "MC6104", "MC6105", "MC6107", "MC6108", "MC6109", "MC6110", "MC6112", "MC6113", "MC6114", "MC6117",
      "MC6304",
      "MC6401", "MC6404", "MC6405", "MC6503", "MC7023", "MC2207", "MC7040", "MC7041", "MC7042", "MC7043",
      "MC7045",
    ],
    "a suite of its own types what is printed": ["MC5111", "MC5302", "MC6118", "MC7031"],
    "an edit of Swift source: SwiftDataTypeCheckTests": ["MC2641"],
    "a bug in modelc": ["MC6001", "MC6006", "MC6007", "MC6301", "MC6302"],
  ]
}

extension NextStep.Action {
  /// - Returns: what a command printed.
  @discardableResult
  func run(in folder: URL, of step: NextStep, printed: String) throws -> String {
    let parts = text.components(separatedBy: " :: ").map { $0.replacing(#"\n"#, with: "\n") }
    let file = folder.appending(path: parts[0])
    switch word {
    case "$":
      let run = try shell(text, in: folder)
      #expect([0, 1].contains(run.code), "\(text)\n\(run.text)")
    case "write":
      let body = text.firstIndex(of: "\n").map { String(text[$0...].dropFirst()) } ?? ""
      let path = folder.appending(path: String(text.prefix { $0 != "\n" }))
      try FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(body.utf8).write(to: path)
    case "swap":
      let old = try String(contentsOf: file, encoding: .utf8)
      #expect(old.contains(parts[1]), "\(parts[1]) in \(parts[0])")
      try Data(old.replacing(parts[1], with: parts.count > 2 ? parts[2] : "").utf8).write(to: file)
    case "sql":
      let queue = try DatabaseQueue(path: file.path)
      try queue.writeWithoutTransaction { try $0.execute(sql: parts[1]) }
      try queue.close()
    case "says": #expect(printed.contains(text), "\(step) does not say \(text):\n\(printed)")
    case "gone":
      let after = try shell(step.question, in: folder).text
      #expect(!after.contains("[\(text)]"), "\(after)")
    case ">", "looks", "adds":
      let command = try #require(suggestion(in: printed), "no command with '\(text)' in:\n\(printed)")
      let run = try shell(word == "adds" ? "\(step.question) \(command)" : command, in: folder)
      #expect(word == "looks" ? [0, 1, 3].contains(run.code) : run.code == 0, "\(command)\n\(run.text)")
      #expect(word != "adds" || step.finding(in: run.text).isEmpty, "\(command)\n\(run.text)")
      #expect(!run.text.contains("Usage:") && !run.text.contains("[MC6007]"), "\(command)\n\(run.text)")
      return "\n" + run.text
    default: Issue.record("no action '\(word)'")
    }
    return ""
  }

  /// The last thing between backticks that has the text; an option where one is to be added.
  private func suggestion(in printed: String) -> String? {
    let parts = printed.split(separator: "`", omittingEmptySubsequences: false)
    let between = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    return between.last { $0.contains(text) && $0.hasPrefix("-") == (word == "adds") }
  }
}

/// Runs a line as somebody types it who has `modelc` on the PATH.
private func shell(_ line: String, in folder: URL) throws -> (code: Int32, text: String) {
  let process = Process()
  process.executableURL = URL(filePath: "/bin/sh")
  process.arguments = ["-c", "modelc() { '\(Modelc.executable.path)' \"$@\"; }\n" + line]
  process.currentDirectoryURL = folder
  process.environment = ProcessInfo.processInfo.environment.merging([
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "XDG_CACHE_HOME": folder.deletingLastPathComponent().appending(path: "cache").path,
  ]) { $1 }
  let output = try CommandOutput(of: process)
  return (output.code, output.text)
}

extension NextStep {
  /// What every case begins with: a project of YAML, the same as Xcode's package, and a store of each version.
  static func prepare(_ folder: URL) throws {
    let first = """
      entities:
        Order:
          attributes: {number: integer32 = 0, note: string?}
          relationships: {customer: {to: Customer, inverse: orders}}
          fetchIndexes: {byNumber: [number]}
        Customer:
          attributes: {name: string?}
          relationships: {orders: {toMany: Order, inverse: customer}}
          uniquenessConstraints: [[name]]

      """
    let place = Workplace(folder: folder)
    try place.write("current: V2\nversions: [V1, V2]\n", to: "my app/Models/Shop/versions.yaml")
    try place.write(first, to: "my app/Models/Shop/V1.yaml")
    try place.write(
      first.replacing("note: string?", with: "note: string?, paid: boolean = false"),
      to: "my app/Models/Shop/V2.yaml")
    for number in 1...2 {
      let store = "store \(number).sqlite"
      expectSuccess(
        try place.modelc("fixture", "V\(number)", "--rows", "6", "-o", store, "-C", "my app", "-q"))
    }
    expectSuccess(
      try place.modelc(
        "export", "--as", "xcdatamodeld", "-o", "my pack/Shop.xcdatamodeld", "-C", "my app", "-q"))
  }

  /// The cases of `nextSteps.txt`; none where it cannot be read, which a test sees.
  static func read() -> [NextStep] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "nextSteps.txt")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    var cases: [NextStep] = []
    var actions: [Action] = []
    func finish() {
      guard var last = cases.popLast() else { return }
      let question = actions.firstIndex { $0.word == "?" } ?? actions.endIndex
      last.setup = Array(actions[..<question])
      if question < actions.endIndex { last.question = actions[question].text }
      last.ways = actions[question...].dropFirst().split(separator: "or", by: \.word)
      cases.append(last)
      actions = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  |"), var last = actions.popLast() {
        last.text += "\n" + line.dropFirst(4)
        actions.append(last)
      } else if let heading = line.firstMatch(of: #/^== (MC\d{4}) (.*)$/#) {
        finish()
        cases.append(NextStep(code: String(heading.1), name: String(heading.2)))
      } else if !line.isEmpty, !line.hasPrefix("#") {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        actions.append(Action(word: String(words[0]), text: words.count > 1 ? String(words[1]) : ""))
      }
    }
    finish()
    return cases
  }
}

extension ArraySlice<NextStep.Action> {
  fileprivate func split(separator: String, by key: (Element) -> String) -> [[Element]] {
    split(omittingEmptySubsequences: false) { key($0) == separator }.map { Array($0) }
  }
}
