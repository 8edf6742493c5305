import Foundation

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

/// At spaces; a longer word stays whole.
func wrapped(_ line: String, width: Int) -> [String] {
  var lines: [String] = []
  var current = ""
  for word in line.split(separator: " ", omittingEmptySubsequences: false) {
    if !current.isEmpty, current.displayWidth + 1 + String(word).displayWidth > width {
      lines.append(current)
      current = String(word)
    } else {
      current += current.isEmpty && lines.isEmpty && word.isEmpty ? "" : (current.isEmpty ? "" : " ") + word
    }
  }
  return lines + [current]
}
