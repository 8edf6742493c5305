/// SplitMix64: the same seed gives the same numbers on every system.
package struct Dice: RandomNumberGenerator {
  private var state: UInt64

  /// Neighbouring seeds give streams that have nothing in common: the first state is mixed from the seed.
  package init(seed: UInt64) {
    state = seed &* 0xD134_2543_DE82_EF95 &+ 0x1234_5678_9ABC_DEF1
    state = next() ^ (seed << 32)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// True in so many of a hundred cases.
  package mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }

  package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
