/// Finds many phrases in a stream of bytes, each byte looked at once (Aho and Corasick, 1975).
struct PhraseSearch: Sendable {
  /// A state for every beginning of a phrase; 256 transitions each. The highest bit marks a state where phrases end.
  private var transitions: [UInt16]
  /// The phrases that end in a state, as indices.
  private var endings: [[Int]]

  private static let mark: UInt16 = 0x8000

  /// - Parameter phrases: of fewer than 32,768 bytes in all; what is more is not searched for.
  init(_ phrases: [String]) {
    var next: [[UInt8: Int]] = [[:]]
    endings = [[]]
    for (index, phrase) in phrases.enumerated() where next.count + phrase.utf8.count < Int(Self.mark) {
      var state = 0
      for byte in phrase.utf8 {
        if let known = next[state][byte] {
          state = known
        } else {
          next.append([:])
          endings.append([])
          next[state][byte] = next.count - 1
          state = next.count - 1
        }
      }
      endings[state].append(index)
    }
    transitions = [UInt16](repeating: 0, count: next.count * 256)
    connect(next)
  }

  /// Where a phrase goes on no longer, its longest end that begins a phrase takes over.
  private mutating func connect(_ next: [[UInt8: Int]]) {
    var fallback = [Int](repeating: 0, count: next.count)
    var queue = [0]
    var position = 0
    while position < queue.count {
      let state = queue[position]
      position += 1
      if state != 0 {
        let (own, origin) = (state * 256, fallback[state] * 256)
        // A slice of the table in hand would make each write copy the whole of it.
        for byte in 0..<256 { transitions[own + byte] = transitions[origin + byte] }
      }
      for (byte, target) in next[state] {
        fallback[target] = state == 0 ? 0 : Int(transitions[fallback[state] * 256 + Int(byte)] & ~Self.mark)
        endings[target] += endings[fallback[target]]
        transitions[state * 256 + Int(byte)] = UInt16(target) | (endings[target].isEmpty ? 0 : Self.mark)
        queue.append(target)
      }
    }
  }

  /// Goes on from a state over more bytes.
  ///
  /// - Parameters:
  ///   - state: zero at the beginning.
  ///   - found: takes a phrase's index and the index of its last byte.
  func scan(
    _ bytes: [UInt8], from start: Int, state: inout UInt16, found: (_ phrase: Int, _ last: Int) -> Void
  ) {
    var current = Int(state)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe transitions.withUnsafeBufferPointer { transitions in
        var index = start
        while index < bytes.count {
          let next = unsafe transitions[current &* 256 &+ Int(bytes[index])]
          current = Int(next & 0x7FFF)
          if next & 0x8000 != 0 { for phrase in endings[current] { found(phrase, index) } }
          index &+= 1
        }
      }
    }
    state = UInt16(current)
  }
}
