import Checks
import DataModel

// A library in a module named 'DataModel': two models in one target, together with a file that another plugin
// generates.

let loans = try lend("Frankenstein")
checkEqual(loans, ["Frankenstein"])
checkEqual(stamp, "DataModel")
print("Library: \(loans.count) loan")
