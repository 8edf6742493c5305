import ArgumentParser
import ManagedModel

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain a diagnostic: what its code means, why it matters, what to do.",
    discussion: """
      Error numbers of other programs are explained too: 134110 of Core Data, 264 of SQLite, 9 of CloudKit. One that several \
      programs use is explained for each; `Cocoa 4` or `SQLite 5` names one. A message of theirs, quoted, is explained as well.
      """)

  @OptionGroup var output: OutputOptions

  @Flag(help: "List all codes.")
  var list = false

  @Argument(
    help: .text(
      "A code such as MC1301, an error number of Core Data, SQLite or CloudKit, or a message in quotes.",
      "code"))
  var codes: [String] = []

  func validate() throws {
    try refuse(codes.isEmpty && !list, "name a code, or list all with --list")
    try refuse(!codes.isEmpty && list, "--list takes no codes")
  }

  func run() throws {
    if list {
      return output.print(.array(catalogue.map(Explanation.summary.json)), else: catalogue.catalogueText())
    }
    let explained = try asked.flatMap { code -> [(json: JSONValue, text: String)] in
      let codes = [explanation(of: code)].compactMap(\.self)
      var numbers = ExplainedNumber.all(code)
      if codes.isEmpty, numbers.isEmpty { numbers = ExplainedNumber.inMessage(code) }
      try refuse(codes.isEmpty && numbers.isEmpty, unknown(code))
      return codes.map { (json: $0.json, text: $0.text()) } + numbers.map { (json: $0.json, text: $0.text) }
    }
    output.print(.oneOrSeveral(explained.map(\.json)), else: explained.map(\.text).joined(separator: "\n\n"))
  }

  /// The codes; `Cocoa 134110` is one of two words.
  private var asked: [String] {
    codes.reduce(into: []) { asked, code in
      let isOfDomain = asked.last.flatMap(ExplainedNumber.domain) != nil
      if isOfDomain { asked[asked.count - 1] += " \(code)" } else { asked.append(code) }
    }
  }

  private func unknown(_ code: String) -> String {
    let nearest = nearestCodes(to: code).map { "\n  \($0.code)  \($0.title)" }
    return "there is no code \(code.printable)"
      + (nearest.isEmpty ? "; --list shows all codes" : "; the nearest codes are" + nearest.joined())
  }
}
