import ArgumentParser
import Foundation
import ModelCommands
import ModelMigration
import Testing

/// What messages, explanations and pages say to type is a command of today, with options that it has.
@Suite("Commands in texts") struct CommandsInTextTests {
  @Test func `each of them is understood`() throws {
    let texts =
      try Package.sources().map(Self.withoutComments)
      // `modelc check@models@`: what is filled in.
      + Package.files(below: "Sources", "md").map { $0.replacing(#/@[a-z]+@/#, with: "") }
      + [String(contentsOf: Package.folder.appending(path: "README.md"), encoding: .utf8)]
    let commands = Set(texts.flatMap(Self.commands)).sorted()
    #expect(commands.count > 120)
    for command in commands {
      let words = Self.words(of: command)
      // `help --all` is read before the others.
      if words.first == "help" { continue }
      // "`modelc check` says": the command by its name alone; its arguments are the reader's.
      if words.count == 1 || ["version", "map", "fleet"].contains(words[0]) && words.count == 2 {
        #expect(Self.names.contains(words.joined(separator: " ")), "\(command)")
        continue
      }
      do {
        _ = try ModelcCommand.parseAsRoot(words)
      } catch {
        let message = ModelcCommand.message(for: error)
        // What is left open for the reader's own names.
        let isOpen =
          message.hasPrefix("Missing") || message.hasPrefix("name ") || message.hasPrefix("-o names")
        #expect(isOpen || ModelcCommand.exitCode(for: error) == .success, "\(command): \(message)")
      }
    }
  }

  /// A command between quotes, not backticks, would be printed as it is: without the options that the user gave.
  @Test func `no message puts a command between quotes`() throws {
    let quoted = try Package.sources().map(Self.withoutComments).flatMap { text in
      (Self.lines(of: text, with: "'modelc ") + Self.lines(of: text, with: "'git ")).flatMap { line in
        line.matches(of: #/'(?:modelc|git) [a-z][^'\n]*'/#).map { String($0.output) }
      }
    }
    #expect(quoted == [])
  }

  /// The library's messages name its own options; a command prints its own in their place.
  @Test func `each option of the library is one of a command`() throws {
    let named = try Package.sources().map(Self.withoutComments).flatMap { text in
      Self.lines(of: text, with: "`MigrationOptions").flatMap { line in
        line.matches(of: #/`(MigrationOptions[^`\n"]+)`/#).map { String($0.1) }
      }
    }
    #expect(named.contains("MigrationOptions.forcesBusy"))
    #expect(AcceptedLoss.commandOptions["to: .file(…)"] == "-o FILE")
    #expect(Set(named).subtracting(AcceptedLoss.commandOptions.keys) == [])
  }

  private static let names: Set<String> = {
    func names(_ type: any ParsableCommand.Type) -> [String] {
      let configuration = type.configuration
      let name = configuration.commandName ?? "\(type)".lowercased()
      return [name] + configuration.subcommands.flatMap { names($0).map { "\(name) \($0)" } }
    }
    let all = ModelcCommand.configuration.subcommands.flatMap { names($0) }
    return Set(all).union(["--help", "--version", "help"])
  }()

  private static func withoutComments(_ source: String) -> String {
    source.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
  }

  /// What begins with `modelc ` between backticks, with values in the place of interpolations.
  private static func commands(in text: String) -> [String] {
    // A regular expression over all of the sources would take a minute.
    lines(of: text, with: "`modelc ").flatMap { line in
      withoutInterpolations(line).matches(of: #/`modelc ([^`\n"]+)`/#).map { String($0.1) }
    }
  }

  private static func lines(of text: String, with part: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n")).filter { $0.firstRange(of: part.utf8) != nil }
      .map { String(Substring($0)) }
  }

  private static func withoutInterpolations(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: #"\("#) {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      var depth = 1
      while depth > 0, let character = rest.popFirst() {
        if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      }
      result += "X"
    }
    return result + rest
  }

  /// As a shell splits them; what is optional for the reader stands in square brackets, what goes on behind `…`.
  private static func words(of command: String) -> [String] {
    var words: [String] = []
    var quote: Character?
    var word: String?
    for character in command.prefix(while: { $0 != "|" && $0 != ">" }) {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        (quote, word) = (character, word ?? "")
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else if character != "…" {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
