package import Foundation
package import ManagedModel

/// Plain values as a keyed archive of one object, as the default transformers of Core Data write it; equal values
/// give equal bytes.
///
/// - Parameter className: the class that the attribute's values have: one of Foundation's, or a collection of Swift's;
///   a value of another class becomes the text or the number that the first value is.
package func archivedObject(_ values: [AttributeValue], className: String? = nil) -> Data {
  var archiver = ModelArchiver(ManagedObjectModel(), isCache: true)
  let elements = values.map { archiver.archived($0) }
  let root: PropertyListValue =
    switch className.map({ $0.prefix { $0 != "<" } }) {
    case "NSArray", "Array": archiver.builder.collection("NSArray", elements)
    case "NSSet", "Set": archiver.builder.collection("NSSet", elements)
    case "NSDictionary", "Dictionary":
      archiver.builder.dictionary("NSDictionary", elements.prefix(1).map { .init("value", $0) })
    default: elements.first ?? KeyedArchiveBuilder.null
    }
  return archiver.builder.data(of: root)
}

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
