// The readers of compiled models, of stores' model caches and of Xcode's XML, on bytes that libFuzzer makes up.
//
// Beside "no crash, no hang": a model that was read can be checked, compiled and written, and what is compiled is
// read back with the same hashes.

import CFuzzer
import Foundation
import ManagedModel
import ModelFormats

func model(_ bytes: Data) -> ManagedObjectModel? {
  switch bytes.first {
  case UInt8(ascii: "b"): return try? unarchiveModel(bytes, file: "V1.mom")
  case UInt8(ascii: "<"): return readXcodeModel(contents: bytes, file: "contents").model
  default: return try? decodeModelCache(bytes)
  }
}

func fuzz(_ bytes: Data) {
  guard let model = model(bytes) else { return }
  _ = checkModel(model)
  _ = writeModel(model)
  _ = try? encodeModelCache(model)
  let hashes = model.entityVersionHashesByName
  let archive = archiveModel(model)
  guard let back = try? unarchiveModel(archive, file: "V1.mom") else { fatalError("not unarchived") }
  // Of two entities with one name the first counts everywhere.
  guard back.entityVersionHashesByName == hashes else { fatalError("other hashes") }
}

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
exit(
  unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    guard let bytes = unsafe bytes else { return 0 }
    unsafe fuzz(Data(bytes: bytes, count: count))
    return 0
  })
