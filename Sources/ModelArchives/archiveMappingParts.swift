package import Foundation

extension Expression {
  /// A value expression as mapping models keep it: a keyed archive of its own.
  package func keyedArchive() -> Data {
    var builder = KeyedArchiveBuilder()
    let root = builder.archived(self)
    return builder.data(of: root)
  }
}

extension [String: String] {
  /// User info, which is a dictionary of texts.
  package func keyedArchive() -> Data {
    var builder = KeyedArchiveBuilder()
    let root = builder.dictionary(of: self)
    return builder.data(of: root)
  }
}
