package import Foundation

extension Expression {
  /// A value expression as mapping models keep it: a keyed archive of its own.
  package func keyedArchive() -> Data {
    var builder = KeyedArchiveBuilder()
    return archive(builder.archived(self), builder)
  }
}

extension [String: String] {
  /// User info, which is a dictionary of texts.
  package func keyedArchive() -> Data {
    var builder = KeyedArchiveBuilder()
    return archive(builder.dictionary(of: self), builder)
  }
}

private func archive(_ root: PropertyListValue, _ builder: KeyedArchiveBuilder) -> Data {
  var builder = builder
  guard case .reference(let reference) = root else { return Data() }
  return builder.data(root: reference)
}
