import Foundation
import ManagedModel

/// Completes the commands that messages suggest, so that they run when pasted.
struct CommandContext: Sendable, Hashable {
  /// Set while a command runs.
  @TaskLocal static var current = CommandContext(arguments: [])

  /// How the user calls this program.
  var program: String
  /// The project's options as they were given, with a space before each.
  var options = ""
  /// That of `--model`, which is another option of `inspect`.
  var modelOption = ""
  /// The store that the command is about, where it is one.
  var store: String?

  /// - Parameter arguments: those of the command line.
  init(arguments: [String], program: String = programName) {
    self.program = program
    var rest = arguments[...]
    let isInspect = arguments.first == "inspect"
    while let argument = rest.popFirst(), argument != "--" {
      func value(of name: String) -> String? {
        if argument == name { return rest.first }
        return argument.hasPrefix(name + "=") ? String(argument.dropFirst(name.count + 1)) : nil
      }
      for name in ["-C", "--models"] {
        if let value = value(of: name) { options += " \(name) \(shellWord(value))" }
      }
      if !isInspect, let value = value(of: "--model") { modelOption = " --model \(shellWord(value))" }
    }
    let stores = Set(arguments.filter { !$0.hasPrefix("-") && isSQLiteFile($0) })
    store = stores.count == 1 ? stores.first : nil
  }

  /// The text with its commands, which stand as `modelc check`, as they run here.
  func runnable(_ text: String) -> String {
    let mark = "`modelc "
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    guard text.utf8.count > mark.utf8.count, parts.count > 2 else { return text }
    return parts.enumerated().map { index, part in
      index % 2 == 1 && part.hasPrefix("modelc ") ? command(part) : part
    }.joined(separator: "`")
  }

  private func command(_ text: String) -> String {
    var words = text.dropFirst("modelc ".count).split(separator: " ", omittingEmptySubsequences: false)[...]
    guard var command = words.popFirst().map(String.init) else { return text }
    if Self.groups.contains(command), let second = words.popFirst() { command += " \(second)" }
    let namesProject = words.contains { $0 == "-C" || $0 == "--models" || $0 == "--model" }
    let takesOptions = !command.hasPrefix("-") && !Self.withoutProject.contains(command) && !namesProject
    let given = takesOptions ? options + (command == "inspect" ? "" : modelOption) : ""
    let rest = words.map { $0 == "STORE" ? store.map(shellWord) ?? "STORE" : String($0) }
    return ([program, command + given] + rest).joined(separator: " ")
  }

  /// Commands of two words.
  private static let groups: Set = ["version", "map"]
  private static let withoutProject: Set = ["explain", "demo", "help", "init"]
}

/// Whether the file begins as one of SQLite's does.
func isSQLiteFile(_ path: String) -> Bool {
  let url = URL(filePath: path).resolvingSymlinksInPath()
  // A pipe would keep us waiting.
  guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
    let handle = FileHandle(forReadingAtPath: path)
  else { return false }
  defer { try? handle.close() }
  return (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8)
}

extension Diagnostic {
  /// With commands that run when pasted.
  var runnable: Diagnostic {
    let context = CommandContext.current
    return with {
      $0.help = help.map(context.runnable)
      for index in notes.indices { $0.notes[index].message = context.runnable(notes[index].message) }
    }
  }
}
