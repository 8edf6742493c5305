public import ManagedModel

/// The `versions.yaml` of a model: its current version and all versions, oldest first.
///
/// A version that does not follow the one before it on the main line says where it leaves.
public func writeVersions(_ model: VersionedModel) -> String {
  var list = VersionList(current: model.currentVersionName)
  var last: String?
  for version in model.versions {
    let isBranch = version.predecessorName != nil && version.predecessorName != last
    list.versions.append(VersionEntry(name: version.name, origin: isBranch ? version.predecessorName : nil))
    if !isBranch { last = version.name }
  }
  var pairs = versionListSchema.write(list)
  for index in pairs.indices {
    if case .sequence(let elements, _) = pairs[index].value { pairs[index].value = .sequence(elements, .block) }
  }
  return renderYAML(pairs)
}
