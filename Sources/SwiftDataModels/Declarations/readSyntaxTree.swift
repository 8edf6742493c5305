#if SwiftData
  import ManagedModel
  import SwiftDiagnostics
  import SwiftParser
  import SwiftParserDiagnostics
  import SwiftSyntax

  /// What a text declares, and slips of syntax: in the parser's words, and where in the text they are, in bytes.
  func declarations(
    of text: String, _ lines: SourceLines, _ platform: SwiftPlatform
  ) -> (file: SwiftFile, mistakes: [(message: String, offset: Int)]) {
    let tree = Parser.parse(source: text)
    var reader = DeclarationReader(lines: lines, platform: platform)
    var file = SwiftFile(path: lines.file)
    for item in tree.statements { reader.read(item.item, into: &file.top) }
    file.imports = reader.imports
    file.conditions = reader.conditions
    // `ModelContainer`, `modelContainer`, `ModelConfiguration`
    if text.contains("odelCon") || text.contains("DocumentGroup") {
      let finder = ContainerFinder(reader)
      finder.walk(tree)
      file.containerCalls = finder.calls
    }
    guard tree.hasError else { return (file, []) }
    let mistakes = ParseDiagnosticsGenerator.diagnostics(for: tree).filter {
      $0.diagMessage.severity == .error && !warnings.contains($0.message)
    }
    return (file, mistakes.prefix(mistakeLimit).map { ($0.message, $0.position.utf8Offset) })
  }

  /// `@Attribute (.unique)`: errors of Swift 6 mode alone. In Swift 5 mode, which an app is in unless it says so, they are
  /// warnings, and the arguments are read all the same.
  private let warnings = ["before '('", "after '@'"].map { "extraneous whitespace \($0) is not permitted" }

  /// More of one file say nothing new.
  private let mistakeLimit = 10
#endif
