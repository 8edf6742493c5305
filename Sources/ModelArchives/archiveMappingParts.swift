package import Foundation

/// A value expression as mapping models keep it: a keyed archive of its own.
package func archiveExpression(_ expression: Expression) -> Data {
  var builder = KeyedArchiveBuilder()
  return archive(builder.archived(expression), builder)
}

/// User info, which is a dictionary of texts.
package func archiveTexts(_ texts: [String: String]) -> Data {
  var builder = KeyedArchiveBuilder()
  return archive(builder.dictionary(of: texts), builder)
}

private func archive(_ root: PropertyListValue, _ builder: KeyedArchiveBuilder) -> Data {
  var builder = builder
  guard case .reference(let reference) = root else { return Data() }
  return builder.data(root: reference)
}
