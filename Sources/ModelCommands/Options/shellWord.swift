/// Text as one word of a shell command.
func shellWord(_ text: String) -> String {
  let isPlain =
    !text.isEmpty
    && text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789._-/+:@%".unicodeScalars.contains($0)
    }
  return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}
