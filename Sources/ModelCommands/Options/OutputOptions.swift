import ArgumentParser
import Foundation
import ManagedModel
import ModelMigration
import PersistentStore

/// How a command writes its result.
struct OutputOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: "How the result is written: text or json.")
  var format: Format = .text

  @OptionGroup var terminal: TerminalOptions

  var writesJSON: Bool { format == .json }

  /// Writes a result to standard output.
  func print(_ text: String) { writeTerminal(withLineEnd(text), to: .standardOutput) }

  /// Writes what other programs read: a format that writes with escapes what a terminal would not show.
  func print(data: String) { writeTerminal(withLineEnd(data), to: .standardOutput, isData: true) }

  func print(_ json: JSONValue) { print(data: json.prettyPrinted) }

  /// Writes a result in the form that was asked for.
  func print(_ json: @autoclosure () -> JSONValue, else text: @autoclosure () -> String) {
    if writesJSON { print(json()) } else { print(text()) }
  }

  /// Says which files were written, in JSON with the findings.
  func print(written paths: [String], _ text: String, _ findings: [Diagnostic] = []) {
    report(findings)
    print(Self.written.json(of: (paths, findings)), else: text)
  }

  static let written = JSONObject<(paths: [String], findings: [Diagnostic])>(
    "written", "Files that were written."
  ).adding(["written": .value(\.paths, "Paths."), "diagnostics": .diagnostics(\.findings)])

  /// Writes progress to standard error, unless the user wants none or reads JSON.
  func say(_ line: String) {
    if !terminal.quiet, !writesJSON { writeTerminal(line.runnable.printable + "\n", to: .standardError) }
  }

  /// Writes findings to standard error; where JSON was asked for they are part of the result instead.
  func report(_ diagnostics: [Diagnostic], minimum: Diagnostic.Severity = .information) {
    // A finding of several steps is printed once.
    let shown = diagnostics.filter { $0.severity >= minimum }.unique.map(\.runnable)
    guard !writesJSON, !shown.isEmpty else { return }
    var renderer = TextDiagnosticRenderer(usesColor: terminal.color.usesColor(on: STDERR_FILENO))
    writeTerminal(renderer.render(shown).fitting(on: STDERR_FILENO), to: .standardError)
  }

  /// Prints each line once.
  private var notices: @Sendable (String) -> Void {
    let isSilent = terminal.quiet || writesJSON
    let written = Locked<Set<String>>([])
    return { line in
      if isSilent || !written.withLock({ $0.insert(line).inserted }) { return }
      writeTerminal(line.printable + "\n", to: .standardError)
    }
  }

  /// Runs the body of a command and turns what it throws into findings and an exit code.
  ///
  /// - Parameter json: the rest of the object that a refusal prints, where JSON was asked for.
  func run(json: JSONValue = [:], _ body: () throws -> Void) throws {
    do {
      try RunContext.with({ $0.notices = notices }, run: body)
    } catch  where error is ExitCode || error is ValidationError {
      throw error
    } catch {
      let (diagnostics, code) = explain(error)
      report(diagnostics)
      if writesJSON { print(json + ["diagnostics": .array(diagnostics.map(\.json))]) }
      throw ExitCode(code)
    }
  }

  /// The findings and the exit code that an error stands for.
  func explain(_ error: any Error) -> (diagnostics: [Diagnostic], code: Int32) {
    switch error {
    case let error as DiagnosticsError:
      let code = exitStatus(for: error.diagnostics)
      return (error.diagnostics, code == 0 ? 1 : code)
    case let error as MigrationValidationError:
      return (error.diagnostics, exitStatus(for: error.diagnostics))
    case let error as UsageError: return ([error.diagnostic], 2)
    case let error as AtomicStoreError: return explain(DiagnosticsError(error.diagnostic()))
    case let error as StoreNotFoundError: return ([error.diagnostic], 2)
    case let error as UnknownVersionError: return ([.noVersion(error.name, known: error.known)], 2)
    case is CocoaError: return ([.fileTrouble(error)], 6)
    default:
      guard (error as NSError).domain == NSPOSIXErrorDomain else { return ([.bug(error)], 70) }
      return ([.fileTrouble(error)], 6)
    }
  }
}

/// What goes to a terminal.
struct TerminalOptions: ParsableArguments {
  @Option(help: "Colors: auto, always or never; NO_COLOR is respected.")
  var color: ColorMode = .auto

  @Flag(name: .shortAndLong, help: "Print only results and problems, no progress.")
  var quiet = false

  /// Of a command whose `--format` takes further words.
  func output(json: Bool) -> OutputOptions {
    // Outside of an initializer: there a value that is set becomes a default, which is read by the parser alone.
    var output = OutputOptions()
    (output.format, output.terminal) = (json ? .json : .text, self)
    return output
  }
}

/// A command whose work runs within ``OutputOptions/run(json:_:)``: its errors are reported as the output options ask.
protocol ReportingCommand: ParsableCommand {
  var output: OutputOptions { get }
  /// The rest of the object that a refusal prints, where JSON was asked for.
  var refusalHead: JSONValue { get }

  func work() throws
}

extension ReportingCommand {
  var refusalHead: JSONValue { [:] }

  func run() throws { try output.run(json: refusalHead, work) }
}

private func withLineEnd(_ text: String) -> String {
  text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n"
}

/// The arguments ask for something impossible: exit code 2, whatever the diagnostic's family.
struct UsageError: Error {
  var diagnostic: Diagnostic

  init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

  init(
    _ code: Diagnostic.Code, _ message: String, place: SourceRange? = nil, notes: [Diagnostic.Note] = [],
    help: [String] = [], cocoaCode: Int? = nil
  ) {
    diagnostic = Diagnostic(
      code, .error, message, place: place, notes: notes, help: help, cocoaCode: cocoaCode)
  }
}

extension ParsableArguments {
  /// - Throws: the reason, where arguments do not go together.
  func refuse(_ isWrong: Bool, _ reason: @autoclosure () -> String) throws {
    if isWrong { throw ValidationError(reason()) }
  }
}

extension ColorMode: ExpressibleByArgument {}

extension ArgumentHelp {
  /// - Parameter valueName: what the value is called, where that is not the argument's own name.
  static func text(_ text: String, _ valueName: String) -> Self { Self(text, valueName: valueName) }
}

extension Diagnostic.Code { static let bug = Self("MC6007") }

extension Diagnostic {
  fileprivate static func fileTrouble(_ error: any Error) -> Self {
    let reason = systemReason(of: error)
    let path = (error as? CocoaError)?.filePath ?? (error as NSError).userInfo[NSFilePathErrorKey] as? String
    return Self(.readOnlyStore, .error, path.map { "'\($0)': \(reason)" } ?? reason)
  }

  fileprivate static func bug(_ error: any Error) -> Self {
    Self(.bug, .error, "something went wrong in modelc itself: \(error)", help: ["please report this"])
  }
}
