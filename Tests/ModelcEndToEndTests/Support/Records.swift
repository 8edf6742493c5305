/// The JSON that other tools may rely on, as cli.md describes it: what is not optional here must be there.
struct DiagnosticRecord: Decodable {
  var code: String
  var severity: String
  var message: String
  var file: String?
  var line: Int?
  var column: Int?
  var version: String?
  var entity: String?
  var property: String?
  var cocoa: Int?
  var notes: [Note]

  struct Note: Decodable { var message: String }
}

/// `inspect STORE`.
struct InspectionRecord: Decodable {
  var store: String
  var versions: [String]
  var recognisedBy: String
  var nearest: [Nearest]
  var uuid: String
  var entities: [Entity]
  var metadata: Metadata
  var diagnostics: [DiagnosticRecord]

  struct Nearest: Decodable {
    var version: String
    var equal: Int
    var differing: [Difference]
  }

  struct Difference: Decodable {
    var entity: String
    var property: String?
    var store: String?
    var version: String?
  }

  struct Entity: Decodable {
    var name: String
    var hash: String
    var table: String?
    var rows: Int
  }

  struct Metadata: Decodable {
    var hashes: [String: String]
    var cloudKitUserID: String?

    enum CodingKeys: String, CodingKey {
      case hashes = "NSStoreModelVersionHashes"
      case cloudKitUserID = "io.objc.Moody.CloudKitUserID"
    }
  }
}

/// `plan` and `migrate`; what only a run has is optional.
struct MigrationRecord: Decodable {
  var store: String
  var from: String
  var to: String
  var steps: [Step]
  var entities: [Entity]
  var losses: [Loss]
  var diagnostics: [DiagnosticRecord]
  var counts: [String: Int]?
  var backup: String?
  var seconds: Double?
  var peakBytes: Int?

  struct Step: Decodable {
    var from: String
    var to: String
    var mapping: String
    var route: String
    var fused: Bool
  }

  struct Entity: Decodable {
    var mapping: String
    var source: String?
    var destination: String?
    var rows: Int
  }

  struct Loss: Decodable {
    var code: String
    var entity: String
    var property: String?
    var count: Int
  }
}

/// What remains of a record where the command refused.
struct RefusalRecord: Decodable {
  var diagnostics: [DiagnosticRecord]
}

/// `compile`.
struct BundleRecord: Decodable {
  var bundle: String
  var current: String
  var versions: [Version]

  struct Version: Decodable {
    var name: String
    var checksum: String
    var fingerprint: String
    var entities: [String: String]
    var unverified: [String]
  }
}
