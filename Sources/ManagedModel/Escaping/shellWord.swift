extension String {
  /// Text as one word of a shell command.
  package var shellWord: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0123456789._-/+:@%".unicodeScalars.contains($0)
      }
    if isPlain { return self }
    // Messages put commands between backticks.
    func isEscaped(_ scalar: Unicode.Scalar) -> Bool { scalar == "`" || scalar.isUnshown }
    guard unicodeScalars.contains(where: isEscaped) else {
      return "'" + escaped { $0 == "'" ? "'\\''" : nil } + "'"
    }
    // POSIX 2024's quotes with escapes, so that the command can be shown and copied.
    return "$'"
      + escaped { scalar in
        switch scalar {
        case "'", "\\": "\\\(scalar)"
        case _ where isEscaped(scalar): String(scalar).utf8.map { "\\" + $0.zeroPadded(3, radix: 8) }.joined()
        default: nil
        }
      } + "'"
  }
}
