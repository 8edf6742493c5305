import EmbeddedFiles
import Foundation
package import StoreRepair

/// The kinds of trouble that modelc knows in logs.
package let logKinds: [LogKind] = unsafe embedded(logKindPages)
  .flatMap { LogKind.parse(String(decoding: $0.content, as: UTF8.self)) ?? [] }

/// The stores of the system that modelc knows in logs.
package let systemStores: [SystemStore] = unsafe embedded(logKindPages)
  .flatMap { SystemStore.parse(String(decoding: $0.content, as: UTF8.self)) }
