import CLibYAML

/// The libyaml that this program runs with.
package var libyamlVersion: String { unsafe String(cString: yaml_get_version_string()) }
