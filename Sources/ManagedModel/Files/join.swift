/// Joins two paths without touching what the user wrote; a name that would be an option stays a path.
package func join(_ folder: String, _ name: String) -> String {
  if folder == "." || folder.isEmpty { return name.hasPrefix("-") ? "./" + name : name }
  return folder.hasSuffix("/") ? folder + name : folder + "/" + name
}
