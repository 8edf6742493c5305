/// Stored by its raw value: a case may be added, a raw value that users have may not change.
enum ReadingStatus: String, Codable, CaseIterable {
  case wanted, reading, finished
}
