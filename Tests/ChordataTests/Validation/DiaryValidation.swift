import Chordata
import Foundation

// Validation hooks of the classes of the model 'Diary'. They refuse only values that validation tests set.

/// The error that these hooks throw.
struct Refusal: Error, Hashable, CustomStringConvertible {
    let of: String
    var description: String { "\(of) must not be so" }
}

/// An error of a hook with a localized description.
struct SpokenRefusal: LocalizedError {
    var errorDescription: String? { "no such text, please" }
}

extension Note: ValidatePropertyHook, ValidateInsertHook, ValidateUpdateHook, ValidateDeleteHook {
    func validateProperty(_ key: PropertyKey, value: Any?) throws {
        if text == "record validation" {
            let shown = (value as? Set<Attachment>).map { "\($0.count)" } ?? value.map { "\($0)" } ?? "nil"
            HookLog.current?.lines.append("Note validateProperty \(key.name) \(shown)")
        }
        switch key {
        case .text where value as? String == "refused text": throw Refusal(of: "text")
        case .text where value as? String == "spoil attachments":
            for attachment in attachments { attachment.setValue(nil, forKey: "title") }
        case .text where value as? String == "change at validation": saves += 1
        case .text where value as? String == "refused otherwise":
            if let refusal = HookLog.current?.refusal { throw refusal }
        case .saves, .text, .words, .attachments: break
        }
    }

    func validateInsert() throws {
        if text == "record validation" { HookLog.current?.lines.append("Note validateInsert") }
        if saves == -1 { throw Refusal(of: "insertion") }
        guard saves == 1_000_000 else { return }
        throw ValidationError(failures: [
            ValidationError.Failure(.numberTooLarge, of: self, propertyName: "saves", reason: "is too large; reset it"),
            ValidationError.Failure(
                .managedObjectValidation,
                of: self,
                propertyName: "text",
                reason: "is too short; write more"
            ),
        ])
    }

    func validateUpdate() throws {
        if text == "record validation" { HookLog.current?.lines.append("Note validateUpdate") }
        if saves == -2 { throw Refusal(of: "update") }
    }

    func validateDelete() throws {
        if saves == -3 { throw Refusal(of: "deletion") }
    }
}
