/// The files that a project of modelc's may have.
let projectFiles: [(path: String, purpose: String)] = [
  ("Models/MODEL/versions.yaml", "which versions there are, in which order, and which is current"),
  ("Models/MODEL/VERSION.yaml", "a version of the model; `extends:` states only what changes"),
  ("Models/Schemas/*.schema.json", "what editors complete and check those files by"),
  ("Models/MODEL/released.lock", "what users have: `check` holds the versions to it"),
  ("Models/MODEL/Released/", "a store and its objects of each released version, which `check` migrates"),
  ("Migrations/MODEL/FROM-TO.yaml", "the mapping model of a step, where inference is not enough"),
  ("Tests/Migrations/MODEL/*.yaml", "migration tests for `modelc test`"),
  ("Build/MODEL.momd", "the compiled bundle"),
  ("App.xcdatamodeld", "Xcode's model, which every command takes as it is"),
  ("App.released.lock", "the same as released.lock, beside Xcode's model"),
  ("modelc.yaml", "what Xcode's files cannot express, beside the package"),
  ("STORE.V1.backup", "the old store beside a migrated one"),
]

/// The variables that modelc reads.
let environmentVariables: [(name: String, purpose: String)] = [
  ("NO_COLOR", "no colours, where it is not empty"), ("TERM", "`dumb`: no colours and no bar"),
  ("COLUMNS", "the width of tables, in place of the terminal's"),
  ("XDG_CACHE_HOME", "where the cache lies: `modelc` in it, else in `~/.cache`"),
  ("HOME", "the home folder, for the cache"), ("TMPDIR", "where temporary files lie"),
  ("PATH", "where git is looked for"),
  ("GITHUB_STEP_SUMMARY", "`check` and `test` add their summary to that file"),
]

/// The pages of the documentation, with their titles and first sentences; a test holds them.
let pages: [(file: String, title: String, summary: String)] = [
  (
    "Sources/ModelCommands/ModelCommands.docc/Checks.md", "Add a check to CI",
    "`modelc check` in CI, before a commit, and as part of a Swift package."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/CommandsByExample.md", "The commands by example",
    "One line for each thing that people do."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/Editors.md", "Set up an editor",
    "Completion, hover and checks for a project's YAML, in any editor that speaks to `yaml-language-server`."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/Fleets.md", "Migrating many stores",
    "A store for each customer, shop or device, migrated on servers."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/Formatting.md", "Format a project's files",
    "One layout for the files of every model, so that a review shows what changed and nothing else."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/GoBack.md", "Take a release back",
    "A release goes wrong, and the version before it has to open the stores again."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/MappingKeys.md", "The mapping language, key by key",
    "Every key of a mapping file."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/MappingLanguage.md", "The mapping language",
    "A mapping file says what becomes of objects in one step, where inference cannot know."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/ModelKeys.md", "The model language, key by key",
    "Every key of a version file."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/ModelLanguage.md", "The model language",
    "A model is a folder."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/Options.md", "Commands and options",
    "Every command with its arguments and options."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/MergeStores.md", "Merge a store into another one",
    "The new app has a store of its own already when the old app's data is found."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/PackageSettings.md", "modelc.yaml",
    "What Xcode's files cannot express of a package is written in `modelc.yaml` beside it."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/PortMappingModels.md", "Port from Xcode's mapping models",
    "An `.xcmappingmodel` works as it is."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/ReadALog.md", "Read a log",
    "What a console log, a crash report or a printed error says of a store that does not open, and what to do."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/ReadData.md", "Reading a store's data",
    "What is in a store, by the model's names: on the command line, and in Datasette, DuckDB and pandas."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/AppsAndContainers.md", "Apps, and what users have of them",
    "Compare with the app that is out, see whether the next one is built with its models, and read what a support request brings."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/RepairAStore.md", "Repair a damaged store",
    "See what is wrong, what a repair would do, and do it."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/ScriptsAndAgents.md", "For scripts and agents",
    "Results as JSON with a schema each, all of the command line on one page, and a look at what is around it."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/SettingsKeys.md", "modelc.yaml, key by key",
    "Every key of `modelc.yaml`."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/StayWithXcode.md", "Stay with Xcode",
    "The model stays in its `.xcdatamodeld`."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/SwiftDataWithoutAMac.md", "SwiftData without a Mac",
    "modelc reads SwiftData's models from their Swift source, on any machine: what a change to a class does to users' stores is known before the app is built."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/VersionsAndChanges.md",
    "versions.yaml, and versions as changes",
    "What `versions.yaml` says, and how a version states only what it changes."
  ),
  (
    "Sources/ModelCommands/ModelCommands.docc/VersionsKeys.md", "versions.yaml, key by key",
    "Every key of `versions.yaml`."
  ),
  (
    "Sources/ModelMigration/ModelMigration.docc/EmbedAMigration.md", "Embed a migration in an app",
    "A program migrates its own stores: look, plan, migrate, show progress, and say what went wrong."
  ),
  (
    "Sources/ModelMigration/ModelMigration.docc/Functions.md", "Functions",
    "Every function that an expression may call by name."
  ),
  (
    "Sources/ModelMigration/ModelMigration.docc/Guarantees.md", "What is guaranteed",
    "After anything, at any moment, the next program that opens the store finds the old one or the new one, whole."
  ),
  (
    "Sources/ModelMigration/ModelMigration.docc/InMemoryAndInSQL.md", "In memory and in SQL",
    "An expression has one meaning for objects in memory and another in a fetch, as in Core Data."
  ),
  (
    "Sources/ModelMigration/ModelMigration.docc/PortAPolicy.md", "Port a policy",
    "A migration policy of an app runs here once its import is changed."
  ),
  (
    "Sources/ModelMigration/ModelMigration.docc/TestAMigration.md", "Test a migration, and work after it",
    "`modelc test` holds what comes out of a migration."
  ),
  (
    "Sources/ModelMigration/ModelMigration.docc/WhatTheLibraryDoes.md", "What the library does",
    "Ten things that an app, a server and a test want to do, each with its entry point."
  ),
  (
    "Sources/ModelMigration/ModelMigration.docc/WriteAPolicy.md", "Write a policy",
    "A policy is Swift that takes over for one entity mapping, where expressions end."
  ),
]
