extension String {
  /// Lines that are safe on a terminal or in a log. Line ends stay; characters that would move the cursor, change colours
  /// or reorder text are written out.
  ///
  /// GitHub takes a line that begins with `::`, and `##[` anywhere, for a command to the runner. Both are broken up.
  ///
  /// - Parameter codes: sequences of control characters that stay.
  package func terminalText(keeping codes: [String] = []) -> String {
    let kept = codes.map { Array($0.unicodeScalars) }
    let scalars = Array(unicodeScalars)
    var result = String.UnicodeScalarView()
    var lineStart = true
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar.isUnshown, let code = kept.first(where: { scalars[index...].starts(with: $0) }) {
        result.append(contentsOf: code)
        index += code.count
        continue
      }
      let isCommand =
        lineStart && scalar == ":" && scalars[index...].starts(with: "::".unicodeScalars)
        || scalar == "[" && scalars[..<index].suffix(2).elementsEqual("##".unicodeScalars)
      if isCommand || (scalar.isUnshown && scalar != "\n") {
        result.append(contentsOf: scalar.visibleForm.unicodeScalars)
      } else {
        result.append(scalar)
      }
      lineStart = scalar == "\n" || lineStart && scalar == " "
      index += 1
    }
    return String(result)
  }
}
