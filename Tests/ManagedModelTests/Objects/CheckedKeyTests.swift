import ManagedModel
import Testing

@Suite("Primary keys from files") struct CheckedKeyTests {
  @Test(
    arguments: [
      (Int64(0), Int64(1)), (1, 2), (-5, 1), (.min, 1), (.max - 1, .max), (.max, nil),
    ] as [(Int64, Int64?)])
  func `the next key is 1 at least, and none where no key is left`(value: Int64, next: Int64?) {
    #expect(CheckedKey(value).next?.value == next)
  }

  @Test func `keys are in the order of their numbers`() {
    let keys = [3, Int64.min, 0, .max, -1].map(CheckedKey.init)
    #expect(keys.sorted().map(\.value) == [.min, -1, 0, 3, .max] && CheckedKey.none == CheckedKey(0))
  }
}
