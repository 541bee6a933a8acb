import Checks
import DataModel

// A library of a module called 'DataModel': two models in one target, beside what another plugin generates.

let loans = try lend("Frankenstein")
checkEqual(loans, ["Frankenstein"])
checkEqual(stamp, "DataModel")
print("Library: \(loans.count) loan")
