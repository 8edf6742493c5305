import ManagedModel

extension Diagnostic.Code {
  static let wouldOverwrite = Self("MC0012")
}
