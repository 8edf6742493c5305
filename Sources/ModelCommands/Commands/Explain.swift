import ArgumentParser

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a diagnostic: what its code means, why it matters, what to do.")

  @OptionGroup var output: OutputOptions

  @Flag(help: "List all codes.")
  var list = false

  @Argument(help: ArgumentHelp("A code such as MC1301.", valueName: "code"))
  var codes: [String] = []

  func validate() throws {
    if codes.isEmpty, !list { throw ValidationError("name a code, or list all with --list") }
    if !codes.isEmpty, list { throw ValidationError("--list takes no codes") }
  }

  func run() throws {
    if list {
      if output.writesJSON {
        output.print(.array(catalogue.map(\.summaryJSON)))
      } else {
        output.print(catalogueText(catalogue))
      }
      return
    }
    let explanations = try codes.map { code in
      guard let explanation = explanation(of: code) else { throw ValidationError(unknown(code)) }
      return explanation
    }
    if output.writesJSON {
      let objects = explanations.map(\.json)
      output.print(objects.count == 1 ? objects[0] : .array(objects))
    } else {
      output.print(explanations.map(explanationText).joined(separator: "\n\n"))
    }
  }

  private func unknown(_ code: String) -> String {
    let nearest = nearestCodes(to: code).map { "\n  \($0.code)  \($0.title)" }
    return "modelc raises no \(printable(code))"
      + (nearest.isEmpty ? "; --list shows all codes" : "; the nearest are" + nearest.joined())
  }
}
