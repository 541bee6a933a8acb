// Written by ChordataDiagnosticPagesTests with CHORDATA_RECORD=1. Do not edit.
// swift-format-ignore-file

internal import ChordataDiagnostics

/// The output for the examples.
let recordedMessages: [DiagnosticID: String] = [
    .unreadableFile: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:1:1: error: the file cannot be read; check that it exists and is readable [CD0101]

        """#,
    .emptyFile: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:1:1: error: the file is empty; restore it, or remove this version from the model [CD0102]

        """#,
    .malformedXML: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:1:1: error: the file is not XML: it does not begin with '<'; restore it [CD0103]

        """#,
    .documentTypeDeclaration: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:1:1: error: a model has no document type; remove the '<!' declaration [CD0104]

        """#,
    .notAModel: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:1:1: error: the root element is 'plist', not 'model'; is this a model's 'contents' file? [CD0105]

        """#,
    .limitExceeded: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:5:50: error: elements are nested more than 64 deep; a model needs no more than 5 levels [CD0106]

        """#,
    .noVersions: #"""
        Shop.xcdatamodeld:1:1: error: the bundle has no version; add an '.xcdatamodel' with a 'contents' file [CD0107]

        """#,
    .missingCurrentVersion: #"""
        Shop.xcdatamodeld/.xccurrentversion:4:5: error: the current version 'Shp' is not in the bundle; use the name of a version in the bundle; did you mean 'Shop'? [CD0108]

        """#,
    .unknownElement: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:9: remark: element 'colour' in 'entity' is unknown and ignored [CD0109]

        """#,
    .ignoredText: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:2:5: warning: the text in 'entity' is not part of the model and is ignored; remove it, or make it a comment [CD0110]

        """#,
    .unknownAttribute: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:32: remark: attribute 'optinal' of element 'attribute' is unknown and ignored; did you mean 'optional'? [CD0111]

        """#,
    .unsupportedEncoding: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:1:31: error: the XML declaration names an encoding other than UTF-8; save the file as UTF-8, and correct the declaration [CD0112]

        """#,
    .unnamedCurrentVersion: #"""
        Shop.xcdatamodeld:1:1: warning: the model has several versions and no file '.xccurrentversion' that names the current one, so the last one, 'Shop 2', is used; choose the current version in Xcode, or write the file [CD0113]

        """#,
    .malformedConfiguration: #"""
        chordata.json:3:23: error: there is nothing after the last ','; remove it [CD0114]

        """#,
    .unknownConfigurationKey: #"""
        chordata.json:2:3: error: there is no key 'diagnostic'; the keys are '$schema', 'diagnostics', 'access', 'imports', 'name', 'codegen', 'entities', 'types', 'versions' and 'migrations'; did you mean 'diagnostics'? [CD0115]

        """#,
    .invalidConfigurationValue: #"""
        chordata.json:3:15: error: 'CD0203' cannot be ignored, because it reports a model from which no valid output is possible; remove the setting and correct the model [CD0116]

        """#,
    .orphanedConfiguration: #"""
        Shp.chordata.json:1:1: error: this is the configuration of a model 'Shp', which is not in the folder; did you mean 'Shop.chordata.json'? [CD0117]

        """#,
    .olderFormat: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/elements:1:1: warning: version 'Shop' is in the binary format of Xcode 3 ('elements' and 'layout'), which is not supported, so it is left out and its stores cannot be migrated; open the model in a later Xcode and save the version, or remove it [CD0118]

        """#,
    .versionAfterCurrent: #"""
        Shop.xcdatamodeld/.xccurrentversion:4:5: warning: version 'Shop' comes after the current version 'Alpha' when versions are sorted by name, so its stores count as newer and are not opened; if it is older, set 'versions' in chordata.json, oldest first: ["Shop", "Alpha"] [CD0119]

        """#,
    .missingName: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:9: error: property has no name; give it one [CD0201]

        """#,
    .invalidName: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:26: error: 'e-mail' cannot be the name of a property; use at most 128 ASCII letters, digits and underscores, not beginning with a digit [CD0202]

        """#,
    .duplicateName: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:26: error: property 'email' is duplicated in 'Customer'; rename one [CD0203]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:26: note: the other one is here

        """#,
    .unknownAttributeType: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:64: error: attribute 'points' of 'Customer' has unknown type 'Integer' (the types are Binary, Boolean, Composite, Date, Decimal, Double, Float, Integer 16, Integer 32, Integer 64, String, Transformable, URI, UUID); did you mean 'Integer 64'? [CD0204]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:64: note: replace 'Integer' with 'Integer 64'

        """#,
    .missingAttributeType: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:9: error: attribute 'email' of 'Customer' has no type; choose one, or make it transient [CD0205]

        """#,
    .unknownSuperentity: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:48: error: parent entity 'Custmer' of 'LoyalCustomer' does not exist; did you mean 'Customer'? [CD0206]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:48: note: replace 'Custmer' with 'Customer'

        """#,
    .cyclicInheritance: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:2:43: error: entity 'Customer' inherits from itself; change its parent entity [CD0207]

        """#,
    .missingDestination: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:9: error: relationship 'inviter' of 'Customer' has no destination; choose an entity [CD0208]

        """#,
    .unknownDestination: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:55: error: relationship 'inviter' of 'Customer' has destination 'Custmer', which is not an entity; did you mean 'Customer'? [CD0209]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:55: note: replace 'Custmer' with 'Customer'

        """#,
    .unknownInverse: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:5:26: error: inverse 'invitee' of 'inviter' of 'Customer' is not a relationship of 'Customer'; did you mean 'invited'? [CD0210]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:5:26: note: replace 'invitee' with 'invited'
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:8:26: error: inverse 'invitor' of 'invited' of 'Customer' is not a relationship of 'Customer'; did you mean 'inviter'? [CD0210]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:8:26: note: replace 'invitor' with 'inviter'

        """#,
    .unknownComposite: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:24: error: composite 'Adress' of 'home' of 'Customer' does not exist; did you mean 'Address'? [CD0211]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:24: note: replace 'Adress' with 'Address'

        """#,
    .invalidDefault: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:33: warning: default 'many' of 'points' of 'Customer' is not of type 'Integer 16' and is ignored; correct or remove it [CD0212]

        """#,
    .unknownDeleteRule: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:27: error: relationship 'orders' of 'Customer' has unknown delete rule 'cascade'; did you mean 'Cascade'? [CD0213]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:27: note: replace 'cascade' with 'Cascade'

        """#,
    .unknownConstraintProperty: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:6:36: error: uniqueness constraint of 'Customer' names 'emial', which is not a property; did you mean 'email'? [CD0214]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:6:36: note: replace 'emial' with 'email'

        """#,
    .malformedNumber: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:63: error: 'fetchLimit' is 'ten', which is not a number from 0 to 2147483647; correct the value [CD0215]

        """#,
    .redeclaredProperty: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:6:26: error: 'code' of 'Shop' has a different type than in its parent entity 'Customer'; rename one [CD0216]

        """#,
    .missingInverse: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:29: warning: 'inviter' of 'Customer' has no inverse, so it can keep references to deleted objects; add an inverse to 'Customer' [CD0217]

        """#,
    .oneSidedInverse: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:8:26: error: inverse 'invited' of 'adviser' of 'Customer' is one-sided: 'invited' of 'Customer' does not name 'adviser' as its inverse, so a change at one end would not update the other; set the inverse at both ends [CD0218]

        """#,
    .caseClash: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:26: error: property 'postcode' differs from 'postCode' only in case; rename one [CD0219]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:26: note: the other one is here

        """#,
    .unknownValue: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:43: warning: 'optional' is 'yes', which is neither 'YES' nor 'NO', so 'NO' is used; did you mean 'YES'? [CD0220]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:43: note: replace 'yes' with 'YES'

        """#,
    .unknownIndexProperty: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:5:42: error: an index of 'Customer' names 'emial', which is not a property; did you mean 'email'? [CD0221]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:5:42: note: replace 'emial' with 'email'

        """#,
    .emptyGroup: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:9: warning: index 'byEmail' has no properties, and is ignored; add properties, or remove it [CD0222]

        """#,
    .invalidConstraintProperty: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:7:36: error: uniqueness constraint of 'Customer' names 'email', which is not stored; name stored attributes and to-one relationships only [CD0223]

        """#,
    .unknownMemberEntity: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:29: error: configuration 'Cloud' contains 'Custmer', which is not an entity of the model; did you mean 'Customer'? [CD0224]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:29: note: replace 'Custmer' with 'Customer'

        """#,
    .missingFetchRequest: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:9: error: fetched property 'bernese' of 'Customer' has no fetch request; give it one, or remove it [CD0225]

        """#,
    .denyUnderCascade: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:12:27: warning: 'invoices' of 'Order' has delete rule 'Deny', so deleting a 'Customer' fails while any of its 'orders' has 'invoices'; change one of the two rules [CD0226]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:27: note: 'orders' of 'Customer' cascades here

        """#,
    .nullifiedRequiredInverse: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:27: warning: deleting a 'Customer' nullifies 'customer' of 'Order', which is required, so the save fails; set the delete rule of 'orders' to 'Cascade' or 'Deny', or make 'customer' optional [CD0227]

        """#,
    .ineffectiveDeleteRule: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:27: warning: 'orders' of 'Customer' has delete rule 'No Action', so 'customer' of 'Order' can keep a dangling reference in memory, and is emptied in the store; use 'Nullify' [CD0228]

        """#,
    .optionalLooksRequired: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:63: warning: 'inviter' of 'Customer' is optional, so its minimum count of 1 is ignored; remove 'optional' or 'minCount' [CD0229]

        """#,
    .childlessAbstractEntity: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:2:19: warning: abstract entity 'Customer' has no subentities, so it cannot have objects; make it concrete, or add a subentity [CD0230]

        """#,
    .unknownRenamingIdentifier: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:5:24: warning: no earlier version has a property 'fone' that 'phone' of 'Customer' could have been renamed from; correct or remove the renaming identifier [CD0231]

        """#,
    .contradictoryBounds: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:29: warning: the minimum of 'points' of 'Customer' is greater than its maximum, so no value can be saved; exchange them [CD0232]

        """#,
    .malformedRegularExpression: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:38: warning: the regular expression of 'code' of 'Customer' is malformed, so no value can be saved; correct or remove it [CD0233]

        """#,
    .duplicateUserInfoKey: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:5:25: warning: user info key 'owner' is duplicated, and the last value is used; remove one [CD0234]

        """#,
    .duplicateRenamingIdentifier: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:6:24: error: 'mail' and 'secondMail' of 'Customer' both have the renaming identifier 'email', but only one of them can be renamed from it; remove one of the two renaming identifiers [CD0235]
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:4:24: note: the other one is here

        """#,
    .invalidIndexProperty: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:7:42: warning: an index of 'Picture' names 'image', which is stored externally and cannot be indexed; remove it from the index [CD0236]

        """#,
    .malformedPredicate: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:7:33: error: predicate of fetch request 'chosen': expected a value or a key path after '==', found the end [CD0301]

        """#,
    .unknownKey: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:7:26: error: predicate of fetch request 'chosen': entity 'Customer' has no property 'cty'; did you mean 'city'? [CD0302]

        """#,
    .typeMismatch: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:7:31: error: predicate of fetch request 'chosen': 'city' is a String, which cannot be compared with an integer [CD0303]

        """#,
    .unknownFetchEntity: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:44: error: fetch request 'everybody' is for entity 'Custmer', which does not exist; did you mean 'Customer'? [CD0304]
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:44: note: replace 'Custmer' with 'Customer'

        """#,
    .conflictingVariable: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:7:56: error: predicate of fetch request 'chosen': variable '$value' is compared with values of two types; use two variables: 'city' is a String, and 'points' is an Integer 64 [CD0305]

        """#,
    .migrationNotInferred: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:3:26: error: attribute 'points' of 'Customer' is new, required and has no default; add a default, make it optional, or write the migration from 'Shop' to 'Shop 2' in SQL (chordata migrate new) or in Swift (chordata migrate new --stage 'Shop 2') [CD0401]

        """#,
    .migrationLosesData: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:2:19: warning: attribute 'mail' of 'Customer' was removed in 'Shop 2', so its values are dropped; if another property replaces it, set the renaming identifier of that property to the name of the removed one [CD0402]

        """#,
    .migrationLeavesInvalid: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:3:29: warning: relationship 'shop' of 'Order' is new and required, so existing objects cannot be saved until it is set; make it optional, or set it in your code [CD0403]

        """#,
    .modifiedReleasedMigration: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:1:1: error: version 'Shop' was changed after it was released, so its stores can no longer be opened; undo the change, and make it in a new version [CD0404]

        """#,
    .malformedMigrationLock: #"""
        Migrations/Shop/migrations.lock:1:1: error: each line must be 'version', 'migration' or 'head', followed by a checksum and a name, without duplicates, and only one line can be 'head'; restore the file from version control, or after a merge keep the lines of the branch that was released [CD0405]

        """#,
    .staleMigration: #"""
        Migrations/Shop/Shop to Shop 2.sql:1:1: warning: the model has changed since the file was generated, so the build ignores the file and generates the migration from the model; to update the file, run 'chordata migrate new' [CD0406]

        """#,
    .emptyMigration: #"""
        Migrations/Shop/Shop to Shop 2.sql:1:1: error: the file has no statements; write those that migrate a store from one version to the other, or remove the file [CD0407]

        """#,
    .orphanedMigration: #"""
        Migrations/Shop/Shop 1 to Shop 2.sql:1:1: warning: the file does not belong to a step between two versions of the model that needs a migration; the files of those steps are 'Shop to Shop 2.sql'; rename it to '<from> to <to>.sql', or remove it [CD0408]

        """#,
    .riskyConversion: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:3:26: warning: attribute 'points' of 'Customer' was Integer 64, is Integer 16 in 'Shop 2', so values can change: depending on the types, fractions are truncated or precision is lost; and the migration fails if a value is outside the range of the new type; check your data, or keep the type [CD0409]

        """#,
    .migrationDependsOnData: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:3:26: warning: uniqueness constraint 'mail' of 'Customer' is new in 'Shop 2', and a store with duplicate values cannot be migrated; before the migration, make the values unique with a program of version 'Shop' [CD0410]

        """#,
    .likelyRenaming: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:3:26: warning: 'mail' of 'Customer' was removed and 'email' of the same type is new; if this is a renaming, give the new one the renaming identifier 'mail' to keep the values of the old one [CD0411]
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:3:19: note: give the new one the renaming identifier 'mail'

        """#,
    .migrationBreaksReaders: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:2:19: remark: 'Shop 2' changes the tables that programs read with their own SQL: entity 'Client' was called 'Customer'; update these programs [CD0412]

        """#,
    .indistinguishableVersions: #"""
        Shop.xcdatamodeld/Shop 2.xcdatamodel/contents:3:26: error: renaming identifiers swap names, but 'Shop' and 'Shop 2' have the same version hash, which does not include renaming identifiers, so a store of 'Shop' would not be migrated; give entity 'Customer' a hash modifier in 'Shop 2' (versionHashModifier) [CD0413]

        """#,
    .unrunnableMigration: #"""
        Migrations/Shop/Shop to Shop 2.sql:2:1: error: BEGIN is not allowed in a migration, because Chordata runs all its statements in one transaction, and they cannot use other database files; remove the statement [CD0414]
        Migrations/Shop/Shop to Shop 2.sql:5:1: error: COMMIT is not allowed in a migration, because Chordata runs all its statements in one transaction, and they cannot use other database files; remove the statement [CD0414]

        """#,
    .generatedNameConflict: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:19: error: entity '_Customer' needs the class name '_Customer', which already belongs to entity 'Customer'; give entity '_Customer' another class name [CD0501]

        """#,
    .nameConflict: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:26: warning: 'isDeleted' is a member of every managed object, so the generated property of 'Customer' is 'isDeleted_'; rename the property in the model to choose another name [CD0502]

        """#,
    .shadowedType: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:2:19: warning: class 'Notification' of entity 'Notification' hides Foundation's type; write 'Foundation.Notification' for the other type, or give the entity another class name [CD0504]

        """#,
    .keywordName: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:26: warning: the property of 'Customer' is called 'default', a Swift keyword, and must be written '`default`' in some places; another name is easier to use [CD0505]

        """#,
    .untypedTransformable: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:26: warning: 'tags' of 'Customer' has the custom class 'NSArray', for which Chordata knows no Swift type, so the generated property has type 'Data'; set its Swift type under 'types' in chordata.json [CD0506]

        """#,
    .invalidUserInfo: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:5:45: warning: 'RawType' of 'since' of 'Customer' is 'Season', which is not a valid type for a 'Date'; use a String or Integer attribute and an enumeration or another type with a raw value, or remove the key [CD0507]

        """#,
    .unknownSortKey: #"""
        Shop.xcdatamodeld/Shop.xcdatamodel/contents:5:52: error: user info key 'sortKeys.everybody' of entity 'Customer': entity 'Customer' has no property 'town' [CD0508]

        """#,
]
