import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite(.needsFixtures) struct GenuineFindingsTests {
  /// How many findings of each code the genuine models raise, by severity. The one error is a composite without
  /// elements, which its authors made to see what happens.
  @Test func `what genuine models break is known`() throws {
    var counts: [String: Int] = [:]
    for url in Fixtures.all(withExtension: "xcdatamodel") {
      guard let model = readXcodeModelPackage(at: url).model?.versions.first?.model else { continue }
      for finding in checkModel(model) {
        counts["\(finding.code) \(finding.severity)", default: 0] += 1
      }
    }
    #expect(
      counts == [
        "MC1208 warning": 63, "MC1210 information": 443, "MC1214 warning": 291, "MC1220 error": 1,
        "MC1301 warning": 58, "MC1308 warning": 5, "MC1309 warning": 2, "MC1310 warning": 3,
        "MC1403 warning": 10, "MC1503 warning": 17,
      ])
  }
}
