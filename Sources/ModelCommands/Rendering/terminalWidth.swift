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
