import PersistentStore

extension String {
  /// The text cut or drawn out to a length that the rules allow.
  func fitted(_ bounds: ValueBounds, _ random: inout SeededRandom) -> String {
    var text = self
    var units = text.utf16.count
    while units < bounds.leastLength {
      let more = " " + word(&random)
      text += more
      units += more.utf16.count
    }
    guard units > bounds.mostLength else { return text }
    // Whole characters only: half a surrogate is not text.
    var length = 0
    let cut = text.prefix { character in
      length += character.utf16.count
      return length <= bounds.mostLength
    }
    return String(cut) + String(repeating: "x", count: max(0, bounds.leastLength - cut.utf16.count))
  }
}

func words(_ random: inout SeededRandom) -> String {
  var text = word(&random)
  for _ in 0..<random.number(below: 4) { text += " " + word(&random) }
  return text
}

func word(_ random: inout SeededRandom) -> String { vocabulary[random.number(below: vocabulary.count)] }

private let vocabulary =
  "ridge valley Hütte sentier ľad brook summit forêt larch glacier Übergang meadow niño scree cairn Gipfel lake moss"
  .split(separator: " ").map(String.init)
