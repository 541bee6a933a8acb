"""Swift types as models write them, parsed independently of Chordata; and which classes are Apple's."""

import re

from swiftnames import KEYWORDS


class Type:
    """A name with generic arguments; `Array`, `Dictionary` and `Optional` are used for their short spellings too."""

    def __init__(self, path, arguments=()):
        self.path = list(path)
        self.arguments = list(arguments)

    @property
    def name(self):
        return ".".join(self.path)

    @property
    def base(self):
        """The name without the module of a standard type: `Int` for `Swift.Int`."""
        return self.path[-1] if self.is_standard else self.name

    @property
    def is_standard(self):
        """A Boolean value that indicates whether the type, without its arguments, is one of Swift or Foundation."""
        if len(self.path) == 1:
            return self.path[0] in STANDARD
        return len(self.path) == 2 and self.path[0] in ("Swift", "Foundation") and self.path[1] in STANDARD

    def all(self):
        """The type and all types inside of it."""
        return [self] + [inner for argument in self.arguments for inner in argument.all()]


SCALARS = {"Bool", "Date", "Data", "Decimal", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "String",
           "TimeInterval", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "URL", "UUID"}
COLLECTIONS = {"Array", "Dictionary", "Optional", "Set"}
STANDARD = SCALARS | COLLECTIONS | {
    "Calendar", "Character", "CharacterSet", "ClosedRange", "DateComponents", "DateInterval", "IndexPath", "IndexSet",
    "Locale", "Range", "TimeZone", "URLComponents"}
UNTYPED = {"Any", "AnyObject", "AnyHashable"}

# The classes of Apple's frameworks that occur most often in models; a class in capitals only, such as `UID`, is the
# user's.
APPLE = set(
    "NSArray NSMutableArray NSDictionary NSMutableDictionary NSSet NSMutableSet NSOrderedSet NSMutableOrderedSet NSCountedSet "
    "NSString NSMutableString NSAttributedString NSMutableAttributedString NSNumber NSDecimalNumber NSData NSMutableData NSDate "
    "NSDateComponents NSDateInterval NSURL NSURLComponents NSURLRequest NSURLResponse NSHTTPURLResponse NSUUID NSValue NSNull "
    "NSObject NSError NSException NSIndexPath NSIndexSet NSMutableIndexSet NSLocale NSTimeZone NSCalendar NSPredicate "
    "NSSortDescriptor NSRange NSPersonNameComponents NSMeasurement NSCharacterSet NSOrthography NSColor NSImage NSFont "
    "NSBezierPath NSManagedObject NSManagedObjectID NSHashTable NSMapTable NSCoding "
    "UIColor UIImage UIFont UIBezierPath UIView UIEdgeInsets UIOffset UIDevice "
    "CGAffineTransform CGColor CGFloat CGImage CGPath CGPoint CGRect CGSize CGVector CIColor CIImage "
    "CALayer CATransform3D CLBeacon CLBeaconRegion CLCircularRegion CLHeading CLLocation CLLocationCoordinate2D CLPlacemark "
    "CLRegion CLVisit MKAnnotation MKMapItem MKPlacemark MKPolygon MKPolyline MKCoordinateRegion".split())
FRAMEWORKS = {"AVFoundation", "AppKit", "CloudKit", "CoreGraphics", "CoreLocation", "Foundation", "MapKit", "UIKit"}
# A name such as `UICustomThing` may be Apple's or the user's: the generated code shows how the tool treats it.
_LIKE_APPLE = re.compile(
    r"(NS|UI|CG|CI|CL|CA|CN|CM|CK|AV|EK|GK|HK|MK|MP|PH|PK|SCN|SK|UN|WK)[A-Z][A-Za-z0-9_]*[a-z][A-Za-z0-9_]*")


def is_apple(name):
    """True or False for a class of Apple's, or None if the name does not decide it."""
    *module, last = name.split(".")
    # A module that is not Apple's contains no class of Apple's.
    if module and module[0] not in FRAMEWORKS:
        return False
    if last in APPLE:
        return True
    return None if _LIKE_APPLE.fullmatch(last) else False


def plain_text(type_):
    """The type as text, with the long spelling of collections and without the modules of standard types."""
    arguments = ", ".join(map(plain_text, type_.arguments))
    return type_.base + (f"<{arguments}>" if arguments else "")


def parse(text):
    """The type of a text; None if the text is not a type."""
    tokens = re.findall(r"[A-Za-z_][A-Za-z0-9_]*|[\[\]<>:,.?]|[^ ]", text)
    position = 0

    def take(token):
        nonlocal position
        if position < len(tokens) and tokens[position] == token:
            position += 1
            return True
        return False

    def identifier():
        nonlocal position
        token = tokens[position] if position < len(tokens) else ""
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", token) or token in KEYWORDS - UNTYPED or token == "_":
            return None
        position += 1
        return token

    def named():
        path = [identifier()]
        while path[-1] and take("."):
            path.append(identifier())
        if not path[-1]:
            return None
        arguments = []
        if take("<"):
            arguments.append(whole())
            while arguments[-1] and take(","):
                arguments.append(whole())
            if not arguments[-1] or not take(">"):
                return None
        return Type(path, arguments)

    def collection():
        first = whole()
        if first and take(":"):
            second = whole()
            return Type(["Dictionary"], [first, second]) if second and take("]") else None
        return Type(["Array"], [first]) if first and take("]") else None

    def whole():
        found = collection() if take("[") else named()
        while found and take("?"):
            found = Type(["Optional"], [found])
        return found

    found = whole()
    return found if position == len(tokens) else None
