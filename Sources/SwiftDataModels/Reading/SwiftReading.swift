/// How Swift source is read.
package struct SwiftReading: Hashable, Sendable {
  /// For which `#if` is decided.
  package var platform: SwiftPlatform
  /// Which plan of a program with several is meant.
  package var plan: String?

  package init(platform: SwiftPlatform = .iOS, plan: String? = nil) {
    (self.platform, self.plan) = (platform, plan)
  }
}
