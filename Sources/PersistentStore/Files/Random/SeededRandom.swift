package import Foundation
import ManagedModel

/// Random numbers that follow from a seed alone, on every machine and in every build (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return mixed(state)
  }

  /// Evenly distributed but for a bias far below what any fixture can show.
  package mutating func number(below bound: Int) -> Int { bound <= 1 ? 0 : Int(next() % UInt64(bound)) }

  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + number(below: range.upperBound - range.lowerBound + 1)
  }

  package mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(below: elements.count)]
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      let word = next()
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (place * 8))) }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  package mutating func uuid() -> UUID { UUID(version4: next().byteSwapped, next().byteSwapped) }
}

/// One number made of another, as different from its neighbours' as can be.
func mixed(_ value: UInt64) -> UInt64 {
  var z = value
  z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z >> 31)
}

package func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
  mixed(mixed(left) ^ (right &* 0x9E37_79B9_7F4A_7C15))
}

/// A hash that is the same in every run, which Swift's own is not (FNV-1a).
package func stableHash(_ text: String) -> UInt64 { stableHash(text.utf8) }

func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return mixed(hash)
}
