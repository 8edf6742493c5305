package import Foundation
package import ManagedModel

/// A plain value as a keyed archive of one object, as the default transformers of Core Data write it; equal values
/// give equal bytes.
///
/// - Parameter className: the class that the attribute's values have: one of Foundation's; a value of another
///   class becomes the text or the number that `value` is.
package func archivedObject(_ value: AttributeValue, className: String? = nil) -> Data {
  var archiver = ModelArchiver(ManagedObjectModel(), form: .cache)
  let element = archiver.archived(value)
  let root: PropertyListValue =
    switch className {
    case "NSArray", "Array": archiver.builder.collection(.array, [element])
    case "NSSet", "Set": archiver.builder.collection(.set, [element])
    case "NSDictionary", "Dictionary": archiver.builder.dictionary(.dictionary, [.init("value", element)])
    default: element
    }
  guard case .reference(let place) = root else { return Data() }
  return archiver.builder.data(root: place)
}
