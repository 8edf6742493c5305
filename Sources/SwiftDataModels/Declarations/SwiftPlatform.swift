/// The platform for which conditional compilation is decided. Raw values are the words of `--platform`.
package enum SwiftPlatform: String, Hashable, Sendable, CaseIterable {
  case iOS = "ios"
  case macOS = "macos"
  case tvOS = "tvos"
  case watchOS = "watchos"
  case visionOS = "visionos"

  /// Whether apps on the platform can import the module; nil for modules that are not Apple's own.
  func canImport(_ module: String) -> Bool? {
    switch module {
    case "AppKit", "Cocoa": self == .macOS
    case "UIKit": self != .macOS
    case "WatchKit": self == .watchOS
    case "Foundation", "SwiftData", "CoreData", "SwiftUI", "Observation", "Combine", "CloudKit",
      "CoreLocation", "CoreGraphics", "Darwin", "os", "OSLog", "AppIntents", "WidgetKit":
      true
    case "Glibc", "Musl", "FoundationNetworking", "FoundationEssentials", "WinSDK", "Android": false
    default: nil
    }
  }
}
