import LogTriage
import ManagedModel
import PersistentStore

/// What a log says, and what the project knows of it.
struct TriageAnswer {
  var log: String
  var triage: LogTriage
  var stores: [PrintedRecognition]
  var checksums: [RecognisedChecksum]
  var models: [VersionedModel]
  var diagnostics: [Diagnostic]
}

/// A checksum that a log prints, with the versions that have it.
struct RecognisedChecksum {
  var checksum: String
  var versions: [RecognisedVersion]
}
