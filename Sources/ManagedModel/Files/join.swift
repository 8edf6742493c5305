/// Joins two paths without touching what the user wrote.
package func join(_ folder: String, _ name: String) -> String {
  if folder == "." || folder.isEmpty { return name }
  return folder.hasSuffix("/") ? folder + name : folder + "/" + name
}
