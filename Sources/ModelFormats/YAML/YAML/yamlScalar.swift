import ManagedModel

extension String {
  /// The text as a YAML scalar that every reader takes for text: plain where it can be, else in quotes.
  package var yamlScalar: String {
    let isPlain = wholeMatch(of: #/[\p{L}_][\w.+-]*( [\w.+-]+)*/#) != nil
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
    if isPlain, !words.contains(lowercased()) { return self }
    return unicodeScalars.contains(where: \.isUnshown) ? quotedScalar : yamlSingleQuoted
  }
}
