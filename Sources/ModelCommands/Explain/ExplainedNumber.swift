import Foundation
import StoreRepair

/// An error's number of another program: of Core Data and Foundation, SQLite, CloudKit or the system.
struct ExplainedNumber: JSONResult {
  var error: ReportedError
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
      let own = domain == .cocoa ? catalogue.filter { $0.cocoaCodes.contains(number) } : []
      guard kind != nil || !own.isEmpty else { return nil }
      let said = kind?.codes.compactMap { explanation(of: $0) } ?? []
      return ExplainedNumber(error: error, kind: kind, codes: said + own.filter { !said.contains($0) })
    }
  }

  /// What another program's message means: the numbers of what triage finds in it, and of what has none modelc's codes.
  static func inMessage(_ text: String) -> ([Explanation], [ExplainedNumber]) {
    var rest = [Data(text.utf8)][...]
    let kinds = triageLog(kinds: logKinds) { _ in rest.popFirst() }.findings.map(\.kind)
    let codes = kinds.filter(\.errors.isEmpty).flatMap(\.codes).compactMap { explanation(of: $0) }
    return (codes, kinds.compactMap(\.errors.first).flatMap { all("\($0.domain.rawValue) \($0.code)") })
  }

  private var title: String { kind?.title ?? codes.first?.title ?? "" }

  /// As a person reads it.
  var text: String {
    var lines = ["\(error): \(title)"]
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

  static let result = JSONObject<Self>("explainedNumber", "What a number of another program means.").adding([
    "error": .value(\.error.description, "The program and the number."), "title": .value(\.title),
    "whatItMeans": .value(\.kind?.meaning), "ifNothingIsDone": .value(\.kind?.loss),
    "whatToDo": .value({ $0.kind?.advice ?? [] }, "One step each."),
    "codes": .value({ $0.codes.map(\.code) }, "modelc's own codes for it."),
  ])
}
