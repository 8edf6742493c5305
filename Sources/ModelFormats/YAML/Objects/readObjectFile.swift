package import Foundation
package import ManagedModel

/// Reads objects from a file in the form that `modelc export --as yaml` writes: entities, below each its objects
/// by name, below each its properties; references are `Entity/name`.
///
/// A name `p12` is the object's primary key; any other name gets the next free key. An attribute that is not
/// named has the model's default, as in a new object; `null` is nil. A relationship may be stated from either end
/// or both.
///
/// - Parameter file: the path to show in places.
/// - Returns: the objects in the order of the file, good for nothing where there are errors.
package func readObjectFile(
  yaml: Data, file: String, model: ManagedObjectModel
) -> (objects: [ManagedObject], diagnostics: [Diagnostic]) {
  let (node, reading) = LanguageReading.read(yaml, file: file)
  guard let node else { return ([], reading.finished) }
  let objects = ObjectFileReading(node, model: model, reading)
  if !reading.diagnostics.hasErrors { objects.checkObjects() }
  return (objects.objects.map(\.object), reading.finished)
}

/// The same from a regular file of at most 8 MB.
package func readObjectFile(
  at path: String, model: ManagedObjectModel
) throws(DiagnosticsError) -> [ManagedObject] {
  let data = try readFile(URL(filePath: path), shownAs: path)
  let (objects, diagnostics) = readObjectFile(yaml: data, file: path, model: model)
  if diagnostics.hasErrors { throw DiagnosticsError(diagnostics) }
  return objects
}
