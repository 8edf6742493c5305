import ManagedModel
import TestSupport

@testable import ReleaseChecks

/// What one rule says of the step between two models in the notes of `modelOf`: `MC7008 error Hut.beds`.
func findings(
  _ rule: (VersionStep) -> () -> [Diagnostic], _ old: String, _ new: String, retired: [String] = [],
  _ edit: (inout ManagedObjectModel, inout ManagedObjectModel) -> Void = { _, _ in }
) -> [String] {
  var (before, after) = (modelOf(old), modelOf(new, retired: retired))
  edit(&before, &after)
  let step = VersionStep(
    from: ModelVersion(name: "V1", model: before), to: ModelVersion(name: "V2", model: after))
  return rule(step)().map(line)
}

func line(of finding: Diagnostic) -> String {
  let subject = [finding.subject?.entity, finding.subject?.property].compactMap(\.self).joined(separator: ".")
  return "\(finding.code) \(finding.severity) \(subject)"
}
