import Foundation
import ManagedModel
import PersistentStore

/// Writes to standard output or standard error; nothing else does. No text can steer the terminal, apart from our own
/// colours.
///
/// - Parameters:
///   - isData: whether other programs read it. Such a format has its own escapes for characters that a terminal does not
///     show. A line that looks like a command to a runner stays as it is.
///   - codes: control characters of ours.
func writeTerminal(
  _ text: String, to handle: FileHandle, isData: Bool = false, keeping codes: [String] = Styler.codes
) {
  let shown =
    isData
    ? text.escaped { $0 != "\n" && $0 != "\t" && $0.isUnshown ? $0.visibleForm : nil }
    : text.terminalText(keeping: codes)
  StandardStreams.write(Data(shown.utf8), to: handle)
}

/// Writes the user's own bytes to standard output for a file or another program; on a terminal as it shows data.
func writeBytes(_ data: Data) {
  if isatty(STDOUT_FILENO) == 1 {
    writeTerminal(String(decoding: data, as: UTF8.self), to: .standardOutput, isData: true)
  } else {
    StandardStreams.write(data, to: .standardOutput)
  }
}

/// Standard input, output and error as the caller left them.
enum StandardStreams {
  /// What the first failed write met, to standard output or to a file of results. A report that finds no room ends no
  /// migration midway.
  private static let failure = Locked<(name: String, error: NSError)?>(nil)

  /// Opens what the caller closed, the wrong way round, so that its use fails as before. Else the next file that is
  /// opened, a store perhaps, would have its number, and reports would be written into it.
  static func settle() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  static func write(_ data: Data, to handle: FileHandle) {
    do {
      try writeAll(data, to: handle.fileDescriptor)
    } catch {
      let isOutput = handle.fileDescriptor == STDOUT_FILENO
      if handle.fileDescriptor == STDERR_FILENO || isOutput && (error as NSError).code == EPIPE { return }
      let name = isOutput ? "standard output" : "the file of '--report'"
      failure.withLock { $0 = $0 ?? (name, error as NSError) }
    }
  }

  /// What a command ends with whose result could not be written, and says so.
  static func exitCode(_ code: Int32) -> Int32 {
    let failed = failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
    guard let failed else { return code }
    return max(code, report(.unwritten(failed.name, failed.error)))
  }

  /// Writes what ends a program before or after its command.
  ///
  /// - Returns: the exit code.
  static func report(_ finding: Diagnostic) -> Int32 {
    var renderer = TextDiagnosticRenderer()
    writeTerminal(renderer.render(finding).fitting(on: STDERR_FILENO), to: .standardError)
    return exitStatus(for: [finding])
  }
}

extension Diagnostic {
  static func unwritten(_ name: String, _ error: any Error) -> Self {
    Self(
      .readOnlyStore, .error, "\(name) cannot be written: \(systemReason(of: error))",
      notes: ["the output is incomplete; what the command did stays done"],
      help: ["make room there, or send the output elsewhere"])
  }
}

/// Of standard output, 100 where it is no terminal.
var proseWidth: Int { max(22, terminalWidth(isTerminal: isatty(STDOUT_FILENO) == 1) ?? 100) }

/// What COLUMNS says, else what the terminal does; nil if it is neither.
func terminalWidth(isTerminal: Bool) -> Int? {
  if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init), columns > 0 {
    return columns
  }
  guard isTerminal else { return nil }
  var size = winsize()
  guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
  return Int(size.ws_col)
}

extension String {
  /// Findings as a terminal has room for them. Results, paths and steps to take are not broken: they are pasted, and half
  /// of a command does something else.
  func fitting(on descriptor: Int32) -> String {
    isatty(descriptor) == 1 ? terminalWidth(isTerminal: true).map { fitting($0) } ?? self : self
  }

  /// With a line of prose that is too long going on below, further in. Tables and code stay as they are.
  package func fitting(_ width: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      let words = line.drop { $0 == " " }
      let indent = line.count - words.count
      let isCode = indent > 5 || words.contains("  ") || words.contains("|") || words.hasSuffix(";")
      if isCode || String(words).columns + indent <= width { return String(line) }
      let margin = String(repeating: " ", count: indent)
      return margin
        + wrapped(String(words), width: max(20, width - indent - 2)).joined(separator: "\n\(margin)  ")
    }.joined(separator: "\n")
  }

  /// Its width without our own codes.
  fileprivate var columns: Int {
    let shown = contains("\u{1B}") ? Styler.codes.reduce(self) { $0.replacingBytes(of: $1, with: "") } : self
    return shown.displayWidth
  }

  /// Help whose line of usage fits a terminal as its other lines do: it goes on in the next line, between two options.
  func fittingUsage(on descriptor: Int32) -> String {
    guard let width = terminalWidth(isTerminal: isatty(descriptor) == 1) else { return self }
    return lines.map { line in
      guard let head = line.firstMatch(of: #/^usage: /#.ignoresCase()), line.count > width else {
        return String(line)
      }
      let rest = wrapped(
        String(line.dropFirst(head.0.count)), width: width - head.0.count,
        keeping: #/\[(?:[^\[\]]|\[[^\]]*\])*\]|-\S+ <[^>]*>/#)
      return "\(head.0)" + rest.joined(separator: "\n" + String(repeating: " ", count: head.0.count))
    }.joined(separator: "\n")
  }
}

/// At spaces; a longer word is not broken.
///
/// - Parameter whole: what stays on one line too; by default a command between backticks, which is to be pasted.
func wrapped(
  _ line: String, width: Int,
  keeping whole: Regex<Substring> =
    #/`(?:git|mkdir|mv|cp|rm|chmod|sqlite3|xcrun|swift|\S*modelc|'[^`']*modelc') [^`]*`/#
) -> [String] {
  var lines: [String] = []
  var current = ""
  var glued = line
  for match in line.matches(of: whole).reversed() {
    glued.replaceSubrange(match.range, with: String(match.output).replacingBytes(of: " ", with: "\u{F8FF}"))
  }
  for word in glued.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
    if !current.isEmpty, current.columns + 1 + word.columns > width {
      lines.append(current)
      current = word
    } else {
      current += current.isEmpty && lines.isEmpty && word.isEmpty ? "" : (current.isEmpty ? "" : " ") + word
    }
  }
  return (lines + [current]).map { $0.replacingBytes(of: "\u{F8FF}", with: " ") }
}
