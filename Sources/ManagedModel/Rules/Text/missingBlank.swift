/// Whether a text is `key:value`, a mapping whose colon has no blank after it.
///
/// - Returns: how many characters stand before the value; nil for any other text.
package func missingBlank(in text: some StringProtocol) -> Int? {
  var rest = Substring(text)
  while rest.hasPrefix("- ") { rest = rest.dropFirst(2) }
  let key = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }
  guard let first = key.first, first.isLetter || first == "_" else { return nil }
  let tail = rest.dropFirst(key.count)
  guard tail.first == ":", let next = tail.dropFirst().first, !next.isWhitespace, next != "/", next != ":"
  else { return nil }
  return text.count - tail.count + 1
}
