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
