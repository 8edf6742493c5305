import Foundation
import ManagedModel

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
