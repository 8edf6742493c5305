extension String {
  /// Text as one word of a shell command.
  package var shellWord: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0123456789._-/+:@%".unicodeScalars.contains($0)
      }
    if isPlain { return self }
    guard unicodeScalars.contains(where: \.isUnshown) else {
      return "'" + escaped { $0 == "'" ? "'\\''" : nil } + "'"
    }
    // POSIX 2024's quotes with escapes, so that the command can be shown and copied.
    return "$'"
      + escaped { scalar in
        switch scalar {
        case "'", "\\": "\\\(scalar)"
        case _ where scalar.isUnshown: octalEscapes(scalar)
        default: nil
        }
      } + "'"
  }
}

private func octalEscapes(_ scalar: Unicode.Scalar) -> String {
  String(scalar).utf8.map { byte in
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }.joined()
}
