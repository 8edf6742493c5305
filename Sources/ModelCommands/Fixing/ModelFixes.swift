import Foundation
import ManagedModel
import ModelFormats

/// The safe fix-its of a model's findings, made in memory: the new files, the edits that were made and those that were
/// not.
struct ModelFixes {
  /// One finding's edits.
  struct Fix: Hashable {
    var code: Diagnostic.Code
    var place: SourceRange
    var message: String
    /// Why it was not made; nil if it was.
    var refusal: Refusal?
  }

  enum Refusal: String, Hashable, CaseIterable {
    /// It may change more than what the finding is about.
    case unsafe
    /// The file would have more errors than before.
    case worse
  }

  /// A file as it is on disk, and as it would stand.
  struct Edit: Hashable {
    var path: String
    var before: Data
    var after: Data
  }

  private(set) var fixes: [Fix] = []
  private var folder: ModelFolder
  private var originals: [String: Data] = [:]
  private var refused: Set<Fix> = []

  /// Each round may uncover what the next one mends.
  private static let roundLimit = 20
  /// How many edits are tried one by one where all edits of a file together make it worse.
  private static let trialLimit = 100

  /// - Parameter path: the model's folder.
  init(of path: String) {
    folder = ModelFolder(URL(filePath: path))
    var state = State(folder)
    for _ in 0..<Self.roundLimit where applySafe(to: &state) {}
    for var fix in state.findings.filter({ !$0.fixIts.isEmpty }).compactMap(Fix.init) {
      fix.refusal = refused.contains(fix) ? .worse : .unsafe
      fixes.append(fix)
    }
  }

  /// The files that change, by path.
  var edits: [Edit] {
    originals.sorted { $0.key < $1.key }.compactMap { path, before in
      guard let after = folder.edited[path], after != before else { return nil }
      return Edit(path: path, before: before, after: after)
    }
  }

  /// One round over all files.
  ///
  /// - Returns: whether anything was made.
  private mutating func applySafe(to state: inout State) -> Bool {
    let safe = state.findings.filter { finding in
      finding.isSafelyFixable && Fix(finding).map { !refused.contains($0) } == true
    }
    var isChanged = false
    let files = Set(safe.compactMap { $0.fixIts.first?.range.file }).sorted()
    for file in files {
      let own = safe.filter { $0.fixIts.first?.range.file == file }
      var isMade = apply(own, in: file, &state)
      // Places stay good for one edit only: the next round finds the others again.
      if !isMade, own.count > 1 {
        isMade = own.prefix(Self.trialLimit).contains { apply([$0], in: file, &state) }
      }
      isChanged = isMade || isChanged
      if !isMade { refused.formUnion(own.compactMap(Fix.init)) }
    }
    return isChanged
  }

  private mutating func apply(_ findings: [Diagnostic], in file: String, _ state: inout State) -> Bool {
    guard let name = file.split(separator: "/").last, folder.shownPath(String(name)) == file,
      let data = try? folder.data(of: String(name))
    else { return false }
    let (text, made) = applyFixIts(findings.map(\.fixIts), to: data)
    let edited = keepingLayout(of: data, in: text, file: file)
    guard !made.isEmpty, edited != data else { return false }
    var candidate = folder
    candidate.edited[file] = edited
    let after = State(candidate)
    // A file that can be parsed only now may show errors that were hidden before.
    guard after.versions.isSuperset(of: state.versions),
      after.errors <= state.errors || after.versions.count > state.versions.count
    else { return false }
    originals[file] = originals[file] ?? data
    fixes += made.compactMap { Fix(findings[$0]) }
    (folder, state) = (candidate, after)
    return true
  }

  /// What a model's files say, and what is found in them.
  private struct State {
    var findings: [Diagnostic]
    /// The files that parse, by their versions.
    var versions: Set<String> = []
    var errors: Int

    init(_ folder: ModelFolder) {
      let (model, diagnostics) = readVersionedModel(in: folder)
      findings = (diagnostics + (model.map { checkVersions($0) } ?? [])).ordered
      errors = findings.count { $0.severity == .error }
      if let model { versions = Set(model.versions.map(\.name)).union([""]) }
    }
  }
}

extension ModelFixes.Fix {
  fileprivate init?(_ finding: Diagnostic) {
    guard let place = finding.place else { return nil }
    self.init(
      code: finding.code, place: place, message: finding.fixIts.map(\.message).joined(separator: ", "))
  }
}

extension Diagnostic {
  /// Whether its edits can be made unasked, in one YAML file.
  var isSafelyFixable: Bool {
    guard let file = fixIts.first?.range.file, file.hasSuffix(".yaml") else { return false }
    return fixIts.allSatisfy { $0.isSafe && $0.range.file == file }
  }
}

extension [ModelFixes.Fix] {
  /// The edits that `compile --fix` made and did not make, a line each.
  func text() -> String {
    let made = filter { $0.refusal == nil }
    var lines = made.map { "fixed \($0.line)" }
    lines += compactMap { fix in fix.refusal.map { "left  \(fix.line) (\($0.inWords))" } }
    if made.isEmpty { lines.append(isEmpty ? "nothing to fix" : "nothing that is safe to fix") }
    return lines.shownLines
  }
}

extension ModelFixes.Fix: JSONResult {
  fileprivate var line: String {
    "\(place.file.printable):\(place.start.line):\(place.start.column) \(code): \(message.printable)"
  }

  static let result = JSONObject<Self>("fix", "An edit that --fix made or left.").adding([
    "code": .value(\.code), "file": .value(\.place.file), "line": .value(\.place.start.line),
    "column": .value(\.place.start.column), "message": .value(\.message, "What it does."),
    "applied": .value { $0.refusal == nil },
    "reason": .value(.words(of: ModelFixes.Refusal.self, "Why it was left.").orNull) {
      $0.refusal?.rawValue
    },
  ])
}

extension ModelFixes.Refusal {
  fileprivate var inWords: String {
    switch self {
    case .unsafe: "it may change what the model means; make it yourself where it is right"
    case .worse: "the file would have more errors than before"
    }
  }
}
