import Foundation
import TestSupport

extension Repository {
  func modelc(_ arguments: String..., in path: String = ".") throws -> Modelc.Run {
    try Modelc.run(arguments, in: folder.appending(path: path))
  }
}
