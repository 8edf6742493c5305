import ManagedModel
import ModelMapping

/// The names of the versions that lead to one, the nearest first.
func versions(before version: ModelVersion, in model: VersionedModel) -> [String] {
  var names: [String] = []
  var next = model.predecessor(of: version)
  while let found = next, found.name != version.name, !names.contains(found.name) {
    names.append(found.name)
    next = model.predecessor(of: found)
  }
  return names
}
