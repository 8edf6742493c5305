import EmbeddedFiles
import Foundation

/// The files that a project of modelc's may have.
let projectFiles: [(path: String, purpose: String)] = [
  ("Models/MODEL/versions.yaml", "which versions there are, in which order, and which is current"),
  ("Models/MODEL/VERSION.yaml", "a version of the model; `extends:` states only what changes"),
  ("Models/Schemas/*.schema.json", "what editors complete and check those files by"),
  ("Models/MODEL/released.lock", "what users have: `check` compares the versions with it"),
  ("Models/MODEL/Released/", "a store and its objects of each released version, which `check` migrates"),
  ("Migrations/MODEL/FROM-TO.yaml", "the mapping model of a step, if inference is not enough"),
  ("Tests/Migrations/MODEL/*.yaml", "migration tests for `modelc test`"),
  ("Build/MODEL.momd", "the compiled bundle"),
  ("App.xcdatamodeld", "Xcode's model, which every command takes as it is"),
  ("App.released.lock", "the same as released.lock, next to Xcode's model"),
  ("modelc.yaml", "what Xcode's files cannot express, next to the package"),
  ("STORE.V1.backup", "the old store next to a migrated one"),
]

/// The variables that modelc reads.
let environmentVariables: [(name: String, purpose: String)] = [
  ("NO_COLOR", "no colors, if it is not empty"), ("TERM", "`dumb`: no colors and no bar"),
  ("COLUMNS", "the width of tables, instead of the terminal's"),
  ("XDG_CACHE_HOME", "where the cache is: `modelc` in it, else in `~/.cache`"),
  ("HOME", "the home folder, for the cache"), ("TMPDIR", "where temporary files are"),
  ("PATH", "where git is looked for"),
  ("GITHUB_STEP_SUMMARY", "`check` and `test` add their summary to that file"),
]

/// The pages of the documentation, with their titles and first sentences; a test writes the list from the pages.
let pages: [(file: String, title: String, summary: String)] = unsafe embedded(documentationPages)
  .flatMap { String(decoding: $0.content, as: UTF8.self).split(separator: "\n") }
  .map { $0.split(separator: "\t").map(String.init) }
  .map { ($0[0], $0[1], $0[2]) }
