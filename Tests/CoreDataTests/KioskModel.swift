#if !canImport(Darwin)
    @_spi(Generated) import Chordata
    import ChordataModel

    /// A model with two versions, as generated code has it.
    enum KioskModel: GeneratedModel {
        private static let first = "M\t1.0\nE\tItem\nA\tname\tString\toptional=1"
        private static let second =
            "M\t2.0\nE\tItem\nA\tname\tString\toptional=1\nA\tprice\tInteger 32\toptional=1"
            + "\nT\tteas\tItem\tpredicate=name == 'Tea'\nT\tnamed\tItem\tpredicate=name == $NAME"

        static let definition: ModelDefinition = {
            guard let old = try? ManagedObjectModel(serialized: first),
                let new = try? ManagedObjectModel(serialized: second)
            else { preconditionFailure("the models of the test are not valid") }
            return ModelDefinition(
                name: "Kiosk",
                versionName: "Kiosk 2",
                serializedModel: second,
                classes: [],
                versionNames: [old.versionHash: "Kiosk", new.versionHash: "Kiosk 2"],
                serializedVersions: ["Kiosk": first],
                migrations: [
                    ModelDefinition.Migration(
                        source: "Kiosk",
                        sourceHash: old.versionHash,
                        destination: "Kiosk 2",
                        destinationHash: new.versionHash,
                        sql: "ALTER TABLE \"Item\" ADD COLUMN \"price\" INTEGER;"
                    )
                ]
            )
        }()
    }

    /// A model whose second version requires that the codes of coupons are unique.
    final class CouponModel: GeneratedModel {
        private init() {}

        private static let first = "M\t1.0\nE\tCoupon\nA\tcode\tString\toptional=1"
        private static let second = first.replacing("1.0", with: "2.0") + "\nU\tp=code"

        static let definition: ModelDefinition = {
            guard let old = try? ManagedObjectModel(serialized: first),
                let new = try? ManagedObjectModel(serialized: second)
            else { preconditionFailure("the models of the test are not valid") }
            return ModelDefinition(
                name: "Coupon",
                versionName: "Coupon 2",
                serializedModel: second,
                classes: [],
                versionNames: [old.versionHash: "Coupon", new.versionHash: "Coupon 2"],
                serializedVersions: ["Coupon": first],
                migrations: [
                    ModelDefinition.Migration(
                        source: "Coupon",
                        sourceHash: old.versionHash,
                        destination: "Coupon 2",
                        destinationHash: new.versionHash,
                        sql: "CREATE UNIQUE INDEX \"Coupon_code\" ON \"Coupon\" (\"code\");"
                    )
                ]
            )
        }()
    }
#endif
