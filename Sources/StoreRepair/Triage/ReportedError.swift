/// An error as a log prints it: a domain and a number.
package struct ReportedError: Hashable, Sendable, CustomStringConvertible {
  package enum Domain: String, Sendable, CaseIterable {
    case cocoa = "Cocoa"
    case sqlite = "SQLite"
    case posix = "POSIX"
    case cloudKit = "CloudKit"
  }

  package var domain: Domain
  package var code: Int

  package init(_ domain: Domain, _ code: Int) { (self.domain, self.code) = (domain, code) }

  package var description: String { "\(domain.rawValue) \(code)" + (resultName.map { ": \($0)" } ?? "") }

  /// SQLite's name of a result with details, as `SQLITE_READONLY_RECOVERY` of 264.
  package var resultName: String? { domain == .sqlite && code > 255 ? Self.resultNames[code] : nil }

  /// From sqlite.org/rescode.html: a primary result, then its details from 1 on.
  private static let resultNames: [Int: String] = {
    let lists: [(primary: Int, name: String, details: String)] = [
      (5, "BUSY", "RECOVERY SNAPSHOT TIMEOUT"), (6, "LOCKED", "SHAREDCACHE VTAB"),
      (8, "READONLY", "RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY"),
      (
        10, "IOERR",
        "READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS "
          + "CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP "
          + "GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS"
      ), (11, "CORRUPT", "VTAB SEQUENCE INDEX"),
      (14, "CANTOPEN", "NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK"),
      (
        19, "CONSTRAINT",
        "CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE"
      ),
    ]
    return Dictionary(
      uniqueKeysWithValues: lists.flatMap { list in
        list.details.split(separator: " ").enumerated().map { place, detail in
          ((place + 1) << 8 | list.primary, "SQLITE_\(list.name)_\(detail)")
        }
      })
  }()

  /// SQLite's result without its details: the low byte (sqlite.org/rescode.html).
  package var primary: ReportedError? {
    domain == .sqlite && code > 255 ? ReportedError(.sqlite, code & 0xFF) : nil
  }
}

/// What stands before an error's number, in the forms of `NSError` and of its message in any language.
struct ErrorPrefix: Sendable {
  var text: String
  var domain: ReportedError.Domain
  /// Which numbers are taken: after a word that is not a domain only those which nothing else has.
  var codes: [ClosedRange<Int>]

  static let all: [ErrorPrefix] = {
    let any = [0...999_999]
    let own = [132_000...134_999, 1_550...1_690]
    let named: [(String, ReportedError.Domain, [ClosedRange<Int>])] = [
      ("NSCocoaErrorDomain", .cocoa, any), ("NSSQLiteErrorDomain", .sqlite, any),
      ("NSPOSIXErrorDomain", .posix, any), ("CKErrorDomain", .cloudKit, any),
      ("SQLite error code", .sqlite, any), ("SQLite error ", .sqlite, any), ("sqlite error ", .sqlite, any),
      // "CoreData: error: (264) attempt to write a readonly database"
      ("CoreData: error: (", .sqlite, [1...101, 256...9_999]), ("SQLite-Fehler", .sqlite, any),
      ("SQLite错误", .sqlite, any), ("“SQLite”错误", .sqlite, any),
      // "Cocoa error 134060", "Cocoa-Fehler: 134060", "erreur Cocoa 134060", "“Cocoa”错误 134100"
      ("Cocoa", .cocoa, own),
    ]
    let words = [
      "Code=", "Code:", "code=", "code:", "code ", "Code：", "Fehler", "错误", "錯誤", "エラー", "erreur ", "errore ",
    ]
    // SQLite has results such as 1555.
    return named.map { ErrorPrefix(text: $0.0, domain: $0.1, codes: $0.2) }
      + words.map { ErrorPrefix(text: $0, domain: .cocoa, codes: [own[0]]) }
  }()

  /// The error whose number follows within a few bytes; nil if none does.
  func error(after end: Int, in line: ArraySlice<UInt8>) -> ReportedError? {
    let rest = line[min(end, line.endIndex)...].prefix(40)
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    guard let start = rest.prefix(28).firstIndex(where: isDigit) else { return nil }
    let digits = rest[start...].prefix(while: isDigit)
    let after = rest[digits.endIndex...].first ?? 0x20
    // An address, a time or a version is not a code.
    let isNumber =
      digits.count <= 6 && after != UInt8(ascii: "x") && !(after == UInt8(ascii: ":") && digits.count < 3)
    guard isNumber, let code = Int(String(decoding: digits, as: UTF8.self)),
      codes.contains(where: { $0.contains(code) })
    else { return nil }
    return ReportedError(domain, code)
  }
}
