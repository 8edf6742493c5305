import ManagedModel

/// A file that, by its first bytes, is a SQLite file; what every connection to a user's store begins with.
///
/// Nothing is locked and nothing is written: the file is opened once, its header read, and closed again before
/// SQLite sees it.
package struct StoreFile: Hashable, Sendable {
  /// As the user wrote it; messages name the store so.
  package let name: String
  /// Absolute, every link followed: side files stand beside the real file.
  package let path: String
  package let header: StoreHeader
  package let status: FileStatus
  /// Nil if there is no `-wal` at all.
  let wal: FileStatus?

  /// - Parameter takesCutShort: whether a file that has lost its end, which SQLite does not open, is taken too, and an
  ///   empty one whose log has its first page.
  ///
  /// Throws ``StoreNotFoundError`` where there is no file, else one diagnostic: MC5001 for what is no SQLite file
  /// or is cut short, MC5301 for a write-ahead log that cannot be read, MC5302 for one of another store, MC5304 where
  /// reading is not permitted; and ``AtomicStoreError`` for a store of Core Data's that is not a SQLite file.
  package init(path name: String, takesCutShort: Bool = false) throws {
    self.name = name
    do {
      guard let path = try resolvedPath(name), let status = try FileStatus(atPath: path) else {
        throw StoreNotFoundError(path: name)
      }
      self.path = path
      guard status.kind != .folder else { throw StoreNotFoundError(path: name, isFolder: true) }
      guard status.kind == .regular else {
        throw DiagnosticsError(
          .notASQLiteFile, "'\(name)' is \(status.kind.words), not a store's file",
          notes: ["nothing was read from it"],
          help: ["name a store's file, or remove what is in its place"], cocoaCode: 134080)
      }
      let file = try OpenFile(reading: path)
      var bytes = try file.read(4096, at: 0)
      if bytes.isEmpty, takesCutShort { bytes = (try? LogPages(ofLogAt: path + "-wal")?.page(1)) ?? [] }
      self.status = try file.status()
      if let atomic = try AtomicStoreError(name, file, beginning: bytes) { throw atomic }
      guard let header = StoreHeader(bytes) else { throw DiagnosticsError(.notAStore(name, bytes, path)) }
      self.header = header
      // A sparse file may have any number of bytes.
      guard self.status.size <= StoreHeader.largestFile else {
        throw DiagnosticsError(
          .notASQLiteFile, "'\(name)' has \(self.status.size) bytes, more than any SQLite file",
          notes: ["nothing was read from it"], help: ["copy the file again from its source or a backup"],
          cocoaCode: 134080)
      }
      wal = try readWAL(of: name, atPath: path + "-wal", header)
      try examineSideFiles(ofStoreAt: path, named: name)
      if !takesCutShort { try refuseTruncated(journal: FileStatus(atPath: path + "-journal")) }
    } catch let error as SystemError {
      throw DiagnosticsError(.unreadable(name, error))
    }
  }

  /// Whether SQLite will keep side files for this store: a `-wal` beside it counts whatever the header says.
  package var usesWAL: Bool { header.journalForm == .writeAhead || wal != nil }

  /// How many names lead to the store's file, or to its log where that has more.
  package var linkCount: Int { max(status.linkCount, wal?.linkCount ?? 0) }

  /// Whether the store's file and its own log have all that there is of it: no journal has more.
  package var isReadByPages: Bool {
    guard (try? FileStatus(atPath: path + "-journal")?.size ?? 0) == 0 else { return false }
    return wal?.hasFrames != true
      || (try? LogPages(ofLogAt: path + "-wal", judging: header))?.contradictions(to: header).isEmpty == true
  }

  /// The bytes of the store with the changes that are still in its log.
  package var byteCount: Int64 { status.size + (wal?.size ?? 0) }

  /// Whether nobody has written to the store between the two looks at it; false if a log leaves that open.
  package func isUnchanged(since former: StoreFile) -> Bool {
    status == former.status && header == former.header && wal?.hasFrames != true
      && former.wal?.hasFrames != true
  }

  package func isSameFile(as other: StoreFile) -> Bool { status.identity == other.status.identity }

  /// The same file as it is now, under a lock: before that, others could still write to store and log.
  ///
  /// Refuses as busy where meanwhile another file stands there.
  func reread() throws -> StoreFile {
    let now = try StoreFile(path: name)
    guard now.path == path, now.status.identity == status.identity else {
      throw DiagnosticsError(.inUse(name))
    }
    return now
  }

  /// A file shorter than its header says has lost its end, unless the log has the pages. With changes in a journal the header
  /// may be ahead of the file, and SQLite itself judges.
  private func refuseTruncated(journal: FileStatus?) throws {
    guard let pageCount = header.pageCount, journal?.size ?? 0 == 0 else { return }
    let needed = Int64(pageCount) * Int64(header.pageSize)
    guard status.size < needed, try lacksPages(of: pageCount) else { return }
    throw DiagnosticsError(
      .notASQLiteFile, "'\(name)' is cut short: it has \(status.size) bytes of \(needed)",
      notes: ["objects at its end are missing"],
      help: [
        "copy the file again from its source or a backup, or save what is left: \(Diagnostic.saving(name))"
      ],
      cocoaCode: 134080)
  }

  /// Whether more pages are neither in the file nor in the log than SQLite leaves out: free ones, and the one of its locks.
  private func lacksPages(of pageCount: Int) throws -> Bool {
    guard wal?.hasFrames == true, let log = try? LogPages(ofLogAt: path + "-wal") else { return true }
    // Of the file as it is now: an app may have written the log into it since.
    let present = try Int((FileStatus(atPath: path)?.size ?? 0) / Int64(header.pageSize))
    let end = min(pageCount, log.pageCount ?? pageCount)
    guard present < end else { return false }
    let absent = present + 1...end
    let hasLockPage = absent.contains((1 << 30) / header.pageSize + 1)
    let logged = log.places.keys.filter { absent.contains($0) }.count
    return absent.count - logged - (hasLockPage ? 1 : 0) > header.freePageCount
  }

  // What a migration needs of the place where a store lies; a plan asks the same without a lock.

  /// Refuses with MC5304 where the file, its log or its folder cannot be written.
  package func requireWritable() throws {
    guard mayWrite(to: path) else { throw DiagnosticsError(.readOnly(name, "the file is read-only")) }
    // With a read-only log SQLite opens the store for reading only.
    guard wal == nil || mayWrite(to: path + "-wal") else {
      throw DiagnosticsError(.readOnly(name, "its log (the '-wal' file) is read-only"))
    }
    guard mayWrite(to: parentFolder(of: path)) else {
      throw DiagnosticsError(.readOnly(name, "its folder is read-only"))
    }
  }

  /// Room that a change needs next to the store, before its rows grow: for a journal or a new file, and for a backup that is a
  /// copy, at first with the log.
  ///
  /// - Parameters:
  ///   - content: bytes of all pages, those in the log too.
  ///   - journal: bytes that the transaction's journal takes; nil for a new file in the store's place.
  package func room(content: Int64, journal: Int64?, keepsBackup: Bool) -> Int64 {
    let (content, log) = (min(content, byteCount), wal?.size ?? 0)
    if let journal { return keepsBackup ? content + max(log, journal) : journal }
    // What is in the log moves into the old file, which may be the backup itself.
    let isCopied = keepsBackup && (usesWAL || linkCount > 1)
    return content + (isCopied ? content + log : max(content - status.size, 0))
  }

  /// Refuses with MC5306, before anything is written, where there is less room.
  package func requireRoom(_ bytes: Int64) throws {
    try requireFreeSpace(bytes, inFolder: parentFolder(of: path), for: name)
  }
}

/// There is no file of that name; for the command line a slip in usage, not a finding about a store.
package struct StoreNotFoundError: Error, Hashable, Sendable, CustomStringConvertible {
  package var path: String
  package var isFolder: Bool

  package init(path: String, isFolder: Bool = false) { (self.path, self.isFolder) = (path, isFolder) }

  package var description: String {
    isFolder ? "'\(path)' is a folder, not a store's file" : "there is no file '\(path)'"
  }
}

private func readWAL(of name: String, atPath path: String, _ header: StoreHeader) throws -> FileStatus? {
  guard let status = try FileStatus(atPath: path) else { return nil }
  guard status.kind == .regular else {
    throw DiagnosticsError(.unreadableWAL(of: name, "it is not a regular file"))
  }
  guard status.size <= StoreHeader.largestFile else {
    throw DiagnosticsError(.unreadableWAL(of: name, "it is larger than a store can be"))
  }
  guard status.hasFrames else { return status }
  do {
    let bytes = try OpenFile(reading: path).read(LogPages.headerByteCount, at: 0)
    if let (reason, isForeign) = flaw(ofWALHeader: bytes, store: header) {
      guard isForeign else { throw DiagnosticsError(.unreadableWAL(of: name, reason)) }
      let store = String(path.dropLast("-wal".count))
      throw DiagnosticsError(.foreignLog(of: name, path: store, [reason], alone: store.findingsWithoutLog()))
    }
  } catch let error as SystemError {
    throw DiagnosticsError(.unreadableWAL(of: name, error.reason))
  }
  return status
}

/// What bytes that are not store most likely are, to say it in the refusal.
private func describe(_ bytes: [UInt8]) -> String {
  if bytes.isEmpty { return "is empty" }
  if bytes.starts(with: StoreHeader.magic) {
    return bytes.count < StoreHeader.byteCount
      ? "is cut short: \(bytes.count) bytes are less than a SQLite file's header"
      : "starts like a SQLite file, but its header is damaged"
  }
  if isLargeFilePointer(bytes) { return "is a git-lfs pointer, not the store itself" }
  if let form = compressedForm(bytes) { return "is compressed with \(form.name), not the store itself" }
  let beginning = bytes.prefix(512)
  let isText = beginning.allSatisfy { $0 >= 0x20 && $0 != 0x7f || [0x09, 0x0a, 0x0d].contains($0) }
  if isText { return "is a text file, not a SQLite file" }
  // 1,024 random bytes hold about 250 of the 256 values; files with a structure hold far fewer.
  if bytes.count >= 1024, Set(bytes.prefix(1024)).count > 230 { return "is encrypted, or not a SQLite file" }
  return "is not a SQLite file"
}

/// Whether pages of SQLite's trees come after a first page that is none of SQLite's.
private func hasTrees(_ path: String) -> Bool {
  guard let file = try? OpenFile(reading: path) else { return false }
  let starts = (1..<Int64(64)).compactMap { try? file.read(1, at: $0 * 4096).first }
  return starts.count > 3 && starts.count { [2, 5, 10, 13].contains($0) } * 2 > starts.count
}

/// How a file is packed, by its first bytes, and what unpacks it.
private func compressedForm(_ bytes: [UInt8]) -> (name: String, command: String)? {
  let forms: [(beginning: [UInt8], name: String, command: String)] = [
    ([0x1F, 0x8B], "gzip", "gunzip"), ([0x50, 0x4B, 0x03, 0x04], "zip", "unzip"),
    ([0x42, 0x5A, 0x68], "bzip2", "bunzip2"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz", "unxz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd", "unzstd"), ([0x37, 0x7A, 0xBC, 0xAF], "7-Zip", "7z x"),
    (Array("bvx2".utf8), "LZFSE", "compression_tool -decode"),
  ]
  return forms.first { bytes.starts(with: $0.beginning) }.map { ($0.name, $0.command) }
}

extension Diagnostic {
  fileprivate static func notAStore(_ name: String, _ bytes: [UInt8], _ path: String) -> Diagnostic {
    let unpacking = compressedForm(bytes).map { ["unpack it with `\($0.command)`, then name the store"] }
    let folder = name.parentPath.isEmpty ? "." : name.parentPath
    let log = bytes.isEmpty ? (try? FileStatus(atPath: path + "-wal"))?.size ?? 0 : 0
    let isInLog = log > Int64(LogPages.headerByteCount)
    // By the header in the log's first page `repair` reads the others.
    let hasHeader = isInLog && (try? LogPages(ofLogAt: path + "-wal")?.page(1)) != nil
    let rescue = hasHeader ? "save what the log has: \(saving(name))" : "restore '\(name)' from a backup"
    let salvage: [String]? =
      isInLog
      ? ["copy both files first; then \(rescue)"]
      : hasTrees(path) ? ["restore it from a backup", "without one, \(salvaging(bytes))"] : nil
    return Diagnostic(
      .notASQLiteFile, .error, "'\(name)' \(describe(bytes))",
      notes: isInLog ? ["'\(name)-wal' has changes; the next program that opens the store deletes them"] : [],
      help: isLargeFilePointer(bytes)
        ? ["run `git -C \(folder.shellWord) lfs pull` and try again"] : salvage ?? unpacking ?? [],
      cocoaCode: 134080)
  }

  /// How the pages of a store are saved whose beginning is damaged, on a copy.
  private static func salvaging(_ bytes: [UInt8]) -> String {
    // Three bytes of the header that are the same in every file of SQLite's.
    if bytes.count > 23, bytes[21...23] == [64, 32, 32] {
      return
        "only its first bytes look damaged: write them into a copy: `printf 'SQLite format 3\\000' | dd of=COPY conv=notrunc`, `modelc repair COPY -o SAVED`"
    }
    return
      "its other pages look intact: put the first page of an empty store of its version into a copy: "
      + "`modelc fixture --rows 0 VERSION -o first.sqlite`, `dd if=first.sqlite of=COPY bs=4096 count=1 conv=notrunc`, "
      + "`modelc repair COPY -o SAVED`; deleted objects may come back, and values may be in wrong columns if the store was "
      + "migrated, or its model changed since: compare SAVED with what the app shows"
  }

  fileprivate static func unreadableWAL(of name: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .unreadableWriteAheadLog, .error, "'\(name)-wal' cannot be read: \(reason)",
      notes: ["it may hold changes that are not in '\(name)' yet, so the store is not read without it"],
      help: [
        "copy '\(name)' and '\(name)-wal' together from their source, or move the '-wal' away to read without it"
      ])
  }
}
