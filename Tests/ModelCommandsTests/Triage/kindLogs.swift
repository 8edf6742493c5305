/// For every kind a log as programs print it: after `===` the kinds that are to be found, then its lines. None of them
/// is anybody's.
let kindLogs = #"""
  === hash-mismatch
  CoreData: error: -addPersistentStoreWithType:SQLite configuration:(null) URL:file:///var/mobile/Containers/Data/Application/0A/Library/Application%20Support/Huts.sqlite options:(null) ... returned error Error Domain=NSCocoaErrorDomain Code=134100 "(null)" UserInfo={reason=The model used to open the store is incompatible with the one used to create the store} with userInfo dictionary {
  === hash-mismatch
  Der Vorgang konnte nicht abgeschlossen werden. (Cocoa-Fehler: 134100)
  === hash-mismatch
  2015-08-11 10:53:13.990 Huts[736:39183] Error Domain=NSCocoaErrorDomain Code=134100 "未能完成操作。（“Cocoa”错误 134100。）" UserInfo=0x17026edc0
  === incompatible-schema
  Unresolved error Error Domain=NSCocoaErrorDomain Code=134020 "The model configuration used to open the store is incompatible with the one that was used to create the store."
  === invalid-store-type
  Error Domain=NSCocoaErrorDomain Code=134000 "(null)" UserInfo={NSUnderlyingException=Unsupported store type.}
  === store-not-opened
  Fatal error: Unresolved error Error Domain=NSCocoaErrorDomain Code=134080 "(null)" UserInfo={NSSQLiteErrorDomain=0}, [:]
  === missing-mandatory-destination migration-failed
  CoreData: error: error: returned error: NSCocoaErrorDomain Code=134110 "An error occurred during persistent store migration." UserInfo={entity=Hut, attribute=beds, reason=Validation error missing attribute values on mandatory destination attribute}
  === missing-source-model
  Error Domain=NSCocoaErrorDomain Code=134130 "Persistent store migration failed, missing source managed object model." UserInfo={reason=Can't find model for source store}
  === missing-mapping-model
  L’opération n’a pas pu s’achever. (erreur Cocoa 134140.)
  reason = "Can't find mapping model for migration";
  === inferred-mapping
  Error Domain=NSCocoaErrorDomain Code=134190 "(null)" UserInfo={reason=Can't infer mapping model for migration due to: source and destination have the same renaming identifier}
  === migration-source
  error: NSCocoaErrorDomain code: 134150 migration manager, source
  === migration-destination
  Error Domain=NSCocoaErrorDomain Code=134160 "(null)"
  === migration-policy
  Error Domain=NSCocoaErrorDomain Code=134170 "(null)" UserInfo={NSEntityPolicy=Huts.HutPolicy}
  === migration-cancelled
  The operation couldn’t be completed. (Cocoa error 134120.)
  === migration-constraint
  Migration failed: NSCocoaErrorDomain (134111) Constraint violation
  === migration-constraint sqlite-constraint migration-failed
  Error Domain=NSCocoaErrorDomain Code=134110 "An error occurred during persistent store migration." UserInfo={reason=Cannot migrate store in-place: constraint violation during attempted migration, NSUnderlyingException=Constraint unique violation: UNIQUE constraint failed: ZHUT.ZNAME}
  === staged-unknown-version swiftdata-container
  CoreData: error: Store failed to load.  Error Domain=NSCocoaErrorDomain Code=134504 "Cannot use staged migration with an unknown model version." UserInfo={NSLocalizedDescription=Cannot use staged migration with an unknown model version.}
  Fatal error: 'try!' expression unexpectedly raised an error: SwiftData.SwiftDataError(_error: SwiftData.SwiftDataError._Error.loadIssueModelContainer)
  === staged-framework-mismatch
  Error Domain=NSCocoaErrorDomain Code=134505 "(null)"
  === staged-backwards
  Error Domain=NSCocoaErrorDomain Code=134506 "(null)"
  === staged-duplicate-checksums
  *** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: 'Duplicate version checksums across stages detected.'
  === staged-backwards
  Optional("A store file cannot be migrated backwards with staged migration.")
  === staged-duplicate-checksums
  reason: 'The current model reference and the next model reference cannot be equal.'
  === swiftdata-relationship-array
  SwiftData/BackingData.swift:432: Fatal error: Expected only Arrays for Relationships - Stay
  === swiftdata-struct
  CoreData: error: CoreData: Could not materialize Objective-C class named "Array" from declared attribute value type "Array<Double>" of attribute named heights
  === swiftdata-struct
  SwiftData/Schema.swift:320: Fatal error: Composite Coder only supports Keyed Container
  === swiftdata-deleted-object
  SwiftData/BackingData.swift:866: Fatal error: This model instance was invalidated because its backing data could no longer be found the store.
  === swiftdata-attribute-name
  SwiftData/Schema.swift:187: Fatal error: Unable to have an Attribute named description
  === swiftdata-other-schema
  SwiftData/PersistentModel.swift:726: Fatal error: What kind of backing data is this? SwiftData._KKMDBackingData<Huts.SchemaV1.Hut>
  === swiftdata-nil-value
  SwiftData/BackingData.swift:831: Fatal error: Passed nil for a non-optional keypath \Hut.name
  === missing-mapping-model no-stores
  'NSInternalInconsistencyException', reason: 'This NSPersistentStoreCoordinator has no persistent stores (schema mismatch or migration failure).  It cannot perform a save operation.'
  reason=Mismatch between mapping and source/destination models
  === swiftdata-model-not-found
  SwiftData/ModelContext.swift:2595: Fatal error: Failed to identify a model for PersistentIdentifier(id: Hut)
  === swiftdata-model-not-found
  SwiftData/ModelContext.swift:194: Fatal error: failed to find a currently active container for Hut
  === swiftdata-model-not-found
  SwiftData/PersistentModel.swift:75: Fatal error: Failed to find any currently loaded container for Hut
  === swiftdata-model-not-found
  SwiftData/ModelContext.swift:3253: Fatal error: Failed to identify a store that can hold instances of SwiftData._KKMDBackingData<Huts.Hut> from [:]
  === swiftdata-other-class
  SwiftData/ModelContext.swift:712: Fatal error: Failed to cast model Huts.SchemaV2.Hut for PersistentIdentifier(id: Hut) to Hut.
  === swiftdata-app-group
  SwiftData/DataUtilities.swift:1179: Fatal error: Unable to find App Group Container in Entitlements: group.org.example.huts
  === swiftdata-key-path
  SwiftData/Schema.swift:305: Fatal error: This KeyPath does not appear to relate Hut to anything - \SchemaV1.Hut.stays
  === swiftdata-class-in-struct
  SwiftData/SchemaProperty.swift:523: Fatal error: Class property within Persisted Struct/Enum is not supported: NSUnitLength
  === sql-migration
  Error Domain=NSCocoaErrorDomain Code=134180 "(null)"
  === no-such-column sqlite-error
  CoreData: error: (1) I/O error for database at /private/var/mobile/Huts.sqlite.  SQLite error code:1, 'no such column: t0.ZHEIGHT'
  === no-such-column
  [logging] table ZHUT has no column named ZHEIGHT in "INSERT INTO ZHUT(Z_PK, ZHEIGHT) VALUES(?, ?)"
  === no-such-table
  2026-11-02 09:12:44.120 Huts[311:9911] [logging] no such table: ZHUT in "SELECT 0, t0.Z_PK FROM ZHUT t0"
  === duplicate-column
  [logging] duplicate column name: ZHEIGHT in "ALTER TABLE ZHUT ADD COLUMN ZHEIGHT INTEGER"
  === table-exists
  CoreData: sql: table Z_METADATA already exists
  === save-failed
  Failed to save: Error Domain=NSCocoaErrorDomain Code=134030 "An error occurred while saving."
  === save-conflict
  Error Domain=NSCocoaErrorDomain Code=133020 "Could not merge changes." UserInfo={conflictList=("NSMergeConflict (0x600) for NSManagedObject (0x600) with objectID '0xd0 <x-coredata://6A/Hut/p1>' with oldVersion = 3 and newVersion = 4")}
  === constraint-conflict
  Error Domain=NSCocoaErrorDomain Code=133021 "(null)" UserInfo={conflictList=("NSConstraintConflict (0x600) for constraint ( name ): database: (null), conflictedObjects: (…)")}
  === referential-integrity
  *** Terminating app due to uncaught exception 'NSObjectInaccessibleException', reason: 'CoreData could not fulfill a fault for '0x1c002ab00 <x-coredata://6A/Stay/p12>''
  === external-relationship
  Error Domain=NSCocoaErrorDomain Code=133010 "(null)" UserInfo={NSValidationErrorKey=owner}
  === lock-not-taken
  The operation couldn’t be completed. (Cocoa error 132010.)
  === core-data-general
  Error Domain=NSCocoaErrorDomain Code=134060 "A Core Data error occurred."
  === store-operation
  Error Domain=NSCocoaErrorDomain Code=134091 "Unsupported request"
  === store-timeout
  Error Domain=NSCocoaErrorDomain Code=134090 "(null)"
  === external-record-import
  Error Domain=NSCocoaErrorDomain Code=134200 "(null)"
  === history-token-expired
  Error Domain=NSCocoaErrorDomain Code=134301 "The persistent history token has expired."
  === history-off
  CoreData: fault: Store opened without NSPersistentHistoryTrackingKey but previously had been opened with NSPersistentHistoryTrackingKey - Forcing into Read Only mode store at 'file:///var/mobile/Containers/Shared/AppGroup/6A/Huts.sqlite'
  === validation-mandatory
  Error Domain=NSCocoaErrorDomain Code=1570 "name is a required value." UserInfo={NSValidationErrorObject=<Hut: 0x600>, NSValidationErrorKey=name}
  === validation-mandatory validation-several
  Error Domain=NSCocoaErrorDomain Code=1560 "Multiple validation errors occurred." UserInfo={NSDetailedErrors=(
      "Error Domain=NSCocoaErrorDomain Code=1570 \"day is a required value.\"",
  === validation-object
  Error Domain=NSCocoaErrorDomain Code=1550 "(null)"
  === validation-count
  Error Domain=NSCocoaErrorDomain Code=1580 "Too few items in stays."
  === validation-delete
  The operation could not be completed. (Cocoa error 1600.)
  === validation-range
  Error Domain=NSCocoaErrorDomain Code=1610 "beds is too large."
  === validation-text
  Error Domain=NSCocoaErrorDomain Code=1680 "phone is too … or does not match."
  === file-missing
  CoreData: error: Failed to stat path '/var/mobile/Library/Application Support/Huts.sqlite', errno 2 / No such file or directory.
  CoreData: error: (14) I/O error for database at /var/mobile/Huts.sqlite.  SQLite error code:14, 'unable to open database file'
  === file-locked
  Error Domain=NSCocoaErrorDomain Code=257 "The file “Huts.sqlite” couldn’t be opened because you don’t have permission to view it." UserInfo={NSUnderlyingError=0x600 {Error Domain=NSPOSIXErrorDomain Code=1 "Operation not permitted"}}
  === data-protection file-unreadable
  Error Domain=NSCocoaErrorDomain Code=256 "The file couldn’t be opened." UserInfo={NSSQLiteErrorDomain=23, NSFilePath=/private/var/Huts.sqlite}
  === file-unreadable
  Error Domain=NSCocoaErrorDomain Code=259 "The file “Huts.sqlite” couldn’t be opened because it isn’t in the correct format."
  === file-unwritable
  Error Domain=NSCocoaErrorDomain Code=642 "The volume is read only."
  === file-exists
  Error Domain=NSCocoaErrorDomain Code=516 "“Huts.sqlite” couldn’t be moved because an item with the same name already exists."
  === disk-full
  Error Domain=NSCocoaErrorDomain Code=640 "There isn’t enough space." UserInfo={NSSQLiteErrorDomain=13}
  === store-corrupt
  CoreData: error: -executeRequest: encountered exception = Fatal error.  The database at /var/mobile/Huts.sqlite is corrupted.  SQLite error code:11, 'database disk image is malformed' with userInfo = { NSSQLiteErrorDomain = 11; }
  === not-a-database
  CoreData: error: (26) Fatal error.  SQLite error code:26, 'file is not a database'
  === store-busy
  CoreData: annotation: error during SQL execution : SQLite error code:5, 'database is locked'
  === store-race
  2026-11-20 09:41:00.001 Huts[101:2] CoreData: error: (5) database is locked
  2026-11-20 09:41:00.002 HutsWidget[102:2] CoreData: error: SQLite error code:3850, 'disk I/O error'
  === store-lock-refused
  CoreData: error: (3850) I/O error for database at /private/var/mobile/Containers/Shared/AppGroup/0A/Huts.sqlite
  === store-recovery-read-only
  HutsWidget: NSSQLiteErrorDomain=264
  === store-read-only
  CoreData: error: SQLite error code:1032, 'attempt to write a readonly database'
  === store-read-only
  CoreData: error: Attempt to add read-only file at path file:///private/var/Huts.app/Huts.sqlite read/write. Adding it read-only instead.
  === store-io
  UserInfo={NSFilePath=/var/mobile/Huts.sqlite, NSSQLiteErrorDomain=522, reason=disk I/O error}
  === store-io
  NSSQLiteErrorDomain = 1802;
  === vnode-unlinked
  BUG IN CLIENT OF libsqlite3.dylib: database integrity compromised by API violation: vnode unlinked while in use: /var/mobile/Huts.sqlite-wal
  === sqlite-constraint
  CoreData: error: SQLite error code:1555, 'UNIQUE constraint failed: ZHUT.Z_PK'
  === sqlite-error
  [logging] near "FROM": syntax error in "SELECT FROM ZHUT"
  === sqlite-memory
  CoreData: error: SQLite error code:7, 'out of memory'
  === sqlite-misuse
  [logging] API call with invalid database connection pointer
  === sqlite-schema
  NSSQLiteErrorDomain = 17;
  === unknown-key-path
  *** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: 'keypath altitude not found in entity Hut'
  === kvc-undefined
  'NSUnknownKeyException', reason: '[<Hut 0x600> valueForUndefinedKey:]: the entity Hut is not key value coding-compliant for the key "altitude".'
  === entity-not-found
  reason: '+entityForName: nil is not a legal NSPersistentStoreCoordinator for searching for entity name 'Hut''
  === entity-not-found
  reason: 'An NSManagedObject of class 'Hut' must have a valid NSEntityDescription.'
  === ambiguous-class
  CoreData: error: Failed to find a unique match for an NSEntityDescription to a managed object subclass
  === ambiguous-class
  CoreData: warning: Multiple NSEntityDescriptions claim the NSManagedObject subclass 'Hut'
  === merged-models
  'NSInvalidArgumentException', reason: 'Can't merge models with two different entities named 'Hut''
  === no-configuration
  reason: 'Unable to find a configuration named 'Cloud' in the specified managed object model.'
  === value-type
  reason: 'Unacceptable type of value for attribute: property = "opened"; desired type = NSDate; given type = __NSCFNumber; value = 1.'
  === nil-model
  'NSInvalidArgumentException', reason: 'Cannot create an NSPersistentStoreCoordinator with a nil model'
  === nil-model
  [error] error:  Failed to load NSManagedObjectModel with URL './ -- file:///'
  === nil-model
  CoreData: error:  Cannot load NSManagedObjectModel.  nil is an illegal URL parameter
  === invalid-fetch-request
  reason: '-[NSManagedObjectContext executeFetchRequest:error:] (null) is not a valid NSFetchRequest.'
  === cross-context
  reason: 'Illegal attempt to establish a relationship 'hut' between objects in different contexts'
  === context-thread
  thread 4: EXC_BREAKPOINT +[NSManagedObjectContext __Multithreading_Violation_AllThatIsLeftToUsIsHonor__]
  === dangling-relationship save-failed
  Error Domain=NSCocoaErrorDomain Code=134030 UserInfo={NSLocalizedFailureReason=Dangling reference to an invalid object.}
  === transformer-missing
  CoreData: warning: No NSValueTransformer with class name 'ColourTransformer' was found for attribute 'colour' on entity 'Hut'
  === transformer-unset
  [error] fault: One or more models in this application are using transformable properties with transformer names that are either unset, or set to NSKeyedUnarchiveFromDataTransformerName. Please switch to using "NSSecureUnarchiveFromData" or a subclass of NSSecureUnarchiveFromDataTransformer instead.
  CoreData: warning: Property 'colour' on Entity 'Hut' is using nil or an insecure NSValueTransformer.  Please switch to using "NSSecureUnarchiveFromData" or a subclass of NSSecureUnarchiveFromDataTransformer instead.
  === secure-coding
  CoreData: fault: Hut.colour should either not be using NSSecureUnarchiveFromData
  === secure-coding
  reason: 'Object of class HutColour is not among allowed top level class list (
  === swiftdata-unexplained
  Failed to initialize the database: The operation couldn’t be completed. (SwiftData.SwiftDataError error 1.)
  === staged-unknown-target
  Cannot use staged migration with an unknown coordinator model version.
  === staged-unknown-target
  Error Domain=NSCocoaErrorDomain Code=134504 "Cannot use staged migration with an unknown coordinator model version."
  === unrecognised-selector
  reason: '-[NSManagedObject setAltitude:]: unrecognized selector sent to instance 0x600'
  === cloudkit-optional core-data-general
  Error Domain=NSCocoaErrorDomain Code=134060 "A Core Data error occurred." UserInfo={NSLocalizedFailureReason=CloudKit integration requires that all attributes be optional, or have a default value set. The following attributes are marked non-optional but do not have a default value: Hut: name}
  === cloudkit-relationship-optional
  CloudKit integration requires that all relationships be optional, the following are not: Stay: hut
  === cloudkit-inverse
  CloudKit integration requires that all relationships have an inverse, the following do not: Stay: hut
  === cloudkit-unique
  CloudKit integration does not support unique constraints. The following entities are constrained: Hut: name
  === cloudkit-ordered
  CloudKit integration does not support ordered relationships. The following relationships are marked ordered: Hut: stays
  === cloudkit-deny
  CloudKit integration does not support NSDenyDeleteRule. Hut: stays
  === cloudkit-production-schema
  "<CKError 0x2824: \"Invalid Arguments\" (12/2006); server message = \"Cannot create or modify field 'CD_altitude' in record 'CD_Hut' in production schema\">";
  === cloudkit-account
  CoreData+CloudKit: -[NSCloudKitMirroringDelegate _setUpCloudKitIntegration:]: Failed to set up CloudKit integration: Error Domain=NSCocoaErrorDomain Code=134400 "Unable to initialize without an iCloud account (CKAccountStatusNoAccount)."
  === cloudkit-mirroring
  Error Domain=NSCocoaErrorDomain Code=134406 "The request was aborted because the mirroring delegate never successfully initialized"
  === cloudkit-record-changed cloudkit-partial
  <CKError 0x280: "Partial Failure" (2/1011); "Failed to modify some records"; partial errors: {
   3C:(com.apple.coredata.cloudkit.zone) = <CKError 0x281: "Server Record Changed" (14/2004); server message = "client oplock error updating record">
  === cloudkit-unknown-item
  <CKError 0x280: "Unknown Item" (11/2003); server message = "Did not find record type: CD_Hut">
  === cloudkit-rejected
  Error Domain=CKErrorDomain Code=15 "Request failed with http status code 500"
  === cloudkit-quota
  <CKError 0x280: "Quota Exceeded" (25/2035); server message = "Quota exceeded">
  === cloudkit-zone
  <CKError 0x280: "Zone Not Found" (26/2036); server message = "Zone does not exist">
  === cloudkit-token-expired
  <CKError 0x280: "Change Token Expired" (21/1016); server message = "client knowledge differs from server knowledge">
  === cloudkit-network
  <CKError 0x280: "Request Rate Limited" (7/2008); Retry after 30.0 seconds>
  === cloudkit-entitlement
  <CKError 0x280: "Bad Container" (5/1014); "Couldn't get container configuration">
  === crash-dead10cc
  Termination Reason: RUNNINGBOARD 0xdead10cc
  === crash-dead10cc
  "termination" : {"code":3735883980,"flags":6,"namespace":"RUNNINGBOARD"},
  === crash-8badf00d
  Exception Codes: 0x8badf00d, 0x0
  === xcode-momc
  momc: error: Huts.xcdatamodel: Hut.stays: Relationship must have a destination entity.
  === xcode-current-version
  error: Could not read .xccurrentversion of Huts.xcdatamodeld
  === xcode-duplicate-symbols
  error: Multiple commands produce '/Build/Hut+CoreDataClass.stringsdata'
  """#
