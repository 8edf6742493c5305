import ManagedModel
import ModelFormats

/// The text as a YAML scalar that every reader takes for text: plain where it can be, else in quotes.
func yamlScalar(_ text: String) -> String {
  let isPlain = text.wholeMatch(of: #/[\p{L}_][\w.+-]*( [\w.+-]+)*/#) != nil
  let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
  if isPlain, !words.contains(text.lowercased()) { return text }
  return text.unicodeScalars.contains(where: \.isUnshown) ? quotedScalar(text) : yamlSingleQuoted(text)
}
