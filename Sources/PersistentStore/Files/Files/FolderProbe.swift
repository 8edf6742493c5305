import CSQLite
import Foundation
import ManagedModel

/// What the file system of a folder can do, as far as modelc and SQLite need it: each thing was tried with small files of our
/// own, which are gone again.
package struct FolderProbe: Sendable {
  package enum Outcome: Hashable, Sendable {
    case works
    /// With the system's words.
    case fails(String)
    case notCheckedByPreflight
  }

  /// `ext4`, `nfs`, or a number that nobody named; nil if the system does not say.
  package let fileSystem: String?
  package let freeBytes: Int64?
  /// Whether a file can be made there.
  package private(set) var writing = Outcome.notCheckedByPreflight
  /// Clones share blocks with the original: backups and copies cost no room.
  package private(set) var cloning = Outcome.notCheckedByPreflight
  package private(set) var attributes = Outcome.notCheckedByPreflight
  package private(set) var syncing = Outcome.notCheckedByPreflight
  package private(set) var linking = Outcome.notCheckedByPreflight
  /// SQLite's locks.
  package private(set) var posixLocks = Outcome.notCheckedByPreflight
  package private(set) var openFileLocks = Outcome.notCheckedByPreflight
  /// modelc's marks on its own files.
  package private(set) var wholeFileLocks = Outcome.notCheckedByPreflight
  /// The index of a write-ahead log is shared memory.
  package private(set) var sharedMemory = Outcome.notCheckedByPreflight

  package init(_ folder: String) {
    fileSystem = fileSystemName(folder)
    freeBytes = try? freeSpace(inFolder: folder)
    let place: TemporaryFolder
    do {
      place = try TemporaryFolder("doctor", in: URL(filePath: folder, directoryHint: .isDirectory))
    } catch {
      writing = .fails(systemReason(of: error).lowercased())
      return
    }
    defer { place.remove() }
    do {
      let file = try OpenFile(creating: place.path + "/one")
      try file.write(Array("modelc doctor\n".utf8), at: 0)
      writing = .works
      try? tryFile(file, in: place.path)
    } catch {
      writing = .fails(error.reason)
    }
  }

  private mutating func tryFile(_ file: OpenFile, in place: String) throws(SystemError) {
    syncing = outcome { () throws(SystemError) in
      try file.synchronize()
      try synchronizeFolder(place)
    }
    linking = outcome(unsafe link(place + "/one", place + "/link"))
    #if os(Linux)
      attributes = outcome(unsafe fsetxattr(file.descriptor, "user.modelc", "1", 1, 0))
      let other = try OpenFile(creating: place + "/two")
      cloning = outcome(modelc_clone_file(file.descriptor, other.descriptor))
      openFileLocks = lock(file, setOpenFileLock, against: try OpenFile(reading: file.path))
    #else
      attributes = outcome(unsafe fsetxattr(file.descriptor, "modelc", "1", 1, 0, 0))
      cloning = outcome(unsafe clonefile(place + "/one", place + "/two", 0))
    #endif
    posixLocks = lock(file, F_SETLK, against: nil)
    wholeFileLocks = mark(file, against: try OpenFile(reading: file.path))
    sharedMemory = map(file)
  }

  /// - Parameter other: the same file, opened a second time: a lock that works is checked against it.
  private func lock(_ file: OpenFile, _ command: CInt, against other: OpenFile?) -> Outcome {
    func set(_ kind: CInt, _ file: OpenFile) -> CInt {
      var range = flock()
      range.l_type = Int16(kind)
      range.l_len = 1
      return unsafe fcntl(file.descriptor, command, &range)
    }
    var result = outcome(set(F_WRLCK, file))
    if result == .works, let other, set(F_RDLCK, other) == 0 { result = .fails(ignored) }
    _ = set(F_UNLCK, file)
    return result
  }

  private func mark(_ file: OpenFile, against other: OpenFile) -> Outcome {
    let result = outcome(flock(file.descriptor, LOCK_EX | LOCK_NB))
    return result == .works && flock(other.descriptor, LOCK_EX | LOCK_NB) == 0 ? .fails(ignored) : result
  }

  private func map(_ file: OpenFile) -> Outcome {
    guard ftruncate(file.descriptor, 4096) == 0,
      let memory = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0),
      unsafe memory != MAP_FAILED
    else { return outcome(-1) }
    unsafe munmap(memory, 4096)
    return .works
  }

  /// Whether files lie on another machine, where locks are a matter of trust.
  package var isNetwork: Bool {
    ["nfs", "cifs", "smb2", "smbfs", "9p", "fuse", "ceph", "lustre", "gpfs", "afpfs", "webdav"]
      .contains(fileSystem)
  }
}

private let ignored = "a second lock is given in addition to the first"

private func outcome(_ result: CInt) -> FolderProbe.Outcome {
  result == 0 ? .works : .fails(SystemError(errno, "try", "").reason)
}

private func outcome(_ body: () throws(SystemError) -> Void) -> FolderProbe.Outcome {
  do {
    try body()
    return .works
  } catch {
    return .fails(error.reason)
  }
}

private func fileSystemName(_ folder: String) -> String? {
  #if os(Linux)
    let number = UInt32(truncatingIfNeeded: unsafe modelc_file_system_number(folder))
    return number == 0 ? nil : fileSystemNames[number] ?? "0x" + String(number, radix: 16)
  #else
    var information = statfs()
    guard unsafe statfs(folder, &information) == 0 else { return nil }
    return unsafe withUnsafeBytes(of: information.f_fstypename) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  #endif
}

#if os(Linux)
  /// `F_OFD_SETLK` of fcntl(2), which the C library shows only under _GNU_SOURCE.
  private let setOpenFileLock: CInt = 37

  /// statfs(2), and linux/magic.h.
  private let fileSystemNames: [UInt32: String] = [
    0xEF53: "ext4", 0x5846_5342: "xfs", 0x9123_683E: "btrfs", 0x0102_1994: "tmpfs", 0x794C_7630: "overlayfs",
    0x6969: "nfs", 0xFF53_4D42: "cifs", 0xFE53_4D42: "smb2", 0x6573_5546: "fuse", 0x2FC1_2FC1: "zfs",
    0x0102_1997: "9p", 0xF2F5_2010: "f2fs", 0xCA45_1A4E: "bcachefs", 0xF15F: "ecryptfs", 0x2011_BAB0: "exfat",
    0x4D44: "vfat", 0x7366_746E: "ntfs3", 0x5346_544E: "ntfs", 0x8584_58F6: "ramfs", 0x786F_4256: "vboxsf",
    0x7371_7368: "squashfs", 0x00C3_6400: "ceph", 0x0BD0_0BD0: "lustre", 0x4750_4653: "gpfs",
  ]
#endif
