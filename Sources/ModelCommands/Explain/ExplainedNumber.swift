import Foundation
import StoreRepair

/// An error of another program: of Core Data and Foundation, SQLite, CloudKit or the system.
struct ExplainedNumber: JSONResult {
  /// Nil of a message whose kind of trouble has no number.
  var error: ReportedError?
  /// What triage says of it; nil of a number that only modelc's own codes name.
  var kind: LogKind?
  /// Codes of modelc's that say the same.
  var codes: [Explanation]

  /// `NSCocoaErrorDomain` too.
  static func domain(_ text: String) -> ReportedError.Domain? {
    let word = text.lowercased()
    return ReportedError.Domain.allCases.first { domain in
      let name = domain.rawValue.lowercased()
      return [name, "ns\(name)errordomain"].contains(word) || domain == .cloudKit && word == "ckerrordomain"
    }
  }

  /// What a number may mean, in each program that has it.
  ///
  /// - Parameter text: `134110`, `Cocoa 134110`, `SQLite 264`.
  static func all(_ text: String) -> [ExplainedNumber] {
    let words = text.split { $0 == " " || $0 == "=" || $0 == ":" }.map(String.init)
    guard let number = words.last.flatMap({ Int($0) }), (0...999_999).contains(number), words.count <= 2
    else { return [] }
    let named = words.count == 2 ? domain(words[0]) : nil
    guard words.count == 1 || named != nil else { return [] }
    return ReportedError.Domain.allCases.filter { named == nil || $0 == named }.compactMap { domain in
      let error = ReportedError(domain, number)
      let meant = [error, error.resultName == nil ? nil : error.primary].compactMap(\.self)
      let kind = meant.compactMap { error in logKinds.first { $0.errors.contains(error) } }.first
      let explained = ExplainedNumber(error, kind)
      return kind == nil && explained.codes.isEmpty ? nil : explained
    }
  }

  /// What another program's message means: each kind of trouble that triage finds in it, with the number that it prints.
  static func inMessage(_ text: String) -> [ExplainedNumber] {
    var rest = [Data(text.utf8)][...]
    let findings = triageLog(kinds: logKinds) { _ in rest.popFirst() }.findings
    return findings.map { ExplainedNumber($0.errors.first ?? $0.kind.errors.first, $0.kind) }
  }

  private init(_ error: ReportedError?, _ kind: LogKind?) {
    (self.error, self.kind) = (error, kind)
    let number = error?.domain == .cocoa ? error?.code : nil
    let said = kind?.codes.compactMap { explanation(of: $0) } ?? []
    let own = catalogue.filter { code in code.cocoaCodes.contains { $0 == number } }
    codes = said + own.filter { !said.contains($0) }
  }

  private var title: String { kind?.title ?? codes.first?.title ?? "" }

  /// As a person reads it.
  var text: String {
    var lines = [error.map { "\($0): \(title)" } ?? title]
    if let kind {
      lines +=
        ["", "What it means"] + indented(kind.meaning) + ["", "What is lost"] + indented(kind.loss)
      lines += ["", "What to do"] + kind.advice.map { "  - \($0.runnable)" }
    }
    if !codes.isEmpty {
      lines += ["", kind == nil ? "modelc reports it as" : "modelc's own codes for it"]
      lines += codes.map { "  \($0.code)  \($0.title)" }
    }
    return lines.joined(separator: "\n")
  }

  private func indented(_ text: String) -> [String] { wrapped(text, width: proseWidth - 2).map { "  " + $0 } }

  static let result = JSONObject<Self>("explainedNumber", "What an error of another program means.").adding([
    "error": .value(\.error?.description, "The program and the number."), "title": .value(\.title),
    "whatItMeans": .value(\.kind?.meaning), "ifNothingIsDone": .value(\.kind?.loss),
    "whatToDo": .value({ $0.kind?.advice ?? [] }, "One step each."),
    "codes": .value({ $0.codes.map(\.code) }, "modelc's own codes for it."),
  ])
}
