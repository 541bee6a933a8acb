/// Returns a Boolean value that indicates whether a name is that of a class or structure of one of Apple's frameworks.
///
/// A list decides, not the prefix: `UID`, `SKU` and `MPQueue` belong to the user. A name with a module is Apple's only
/// if the module is.
func isFrameworkClass(_ path: [String]) -> Bool {
    guard let last = path.last, let first = path.first else { return false }
    if path.count > 1, !frameworks.contains(first) { return false }
    return frameworkClasses.contains(last)
}

/// Modules whose classes occur in models.
private let frameworks: Set<String> = [
    "AVFoundation", "AppKit", "CloudKit", "Contacts", "CoreBluetooth", "CoreData", "CoreGraphics", "CoreImage",
    "CoreLocation", "CoreMedia", "CoreML", "EventKit", "Foundation", "GameKit", "HealthKit", "Intents",
    "LinkPresentation", "MapKit", "MediaPlayer", "ObjectiveC", "PDFKit", "PassKit", "PencilKit", "Photos", "QuartzCore",
    "SceneKit", "SpriteKit", "StoreKit", "UIKit", "UniformTypeIdentifiers", "UserNotifications", "Vision", "WebKit",
]

/// The classes, listed by prefix.
private let frameworkClasses: Set<String> = {
    let suffixes: [(prefix: String, names: String)] = [
        (
            "NS",
            """
            Array MutableArray Dictionary MutableDictionary Set MutableSet OrderedSet MutableOrderedSet CountedSet Enumerator \
            String MutableString AttributedString MutableAttributedString Number DecimalNumber Decimal Value Data MutableData \
            PurgeableData Date DateComponents DateInterval DateFormatter Formatter NumberFormatter URL URLComponents \
            URLQueryItem URLRequest MutableURLRequest URLResponse HTTPURLResponse CachedURLResponse URLCredential \
            URLProtectionSpace URLSession URLSessionTask URLSessionConfiguration HTTPCookie UUID IndexPath IndexSet \
            MutableIndexSet Locale TimeZone Calendar CharacterSet MutableCharacterSet Error Exception Null Object Proxy Range \
            Predicate CompoundPredicate ComparisonPredicate Expression SortDescriptor RegularExpression TextCheckingResult \
            Measurement Unit Dimension UnitMass UnitLength UnitTemperature UnitDuration UnitSpeed UnitVolume UnitEnergy \
            UnitArea UnitAngle PersonNameComponents Orthography PointerArray HashTable MapTable Cache UserActivity \
            Notification Progress Operation OperationQueue Bundle FileHandle FileWrapper Coder Coding KeyedArchiver \
            KeyedUnarchiver InvocationOperation Timer Thread Lock Scanner Stream InputStream OutputStream MetadataItem \
            AffineTransform AppleScript ItemProvider ExtensionItem UbiquitousKeyValueStore UserDefaults \
            ManagedObject ManagedObjectID ManagedObjectContext ManagedObjectModel EntityDescription AttributeDescription \
            RelationshipDescription PropertyDescription FetchRequest FetchedPropertyDescription PersistentHistoryToken \
            PersistentStore QueryGenerationToken \
            Color ColorSpace ColorList Image ImageRep BitmapImageRep Font FontDescriptor BezierPath ParagraphStyle \
            MutableParagraphStyle Shadow TextAttachment TextStorage TextTab TextBlock TextList TextTable Gradient Cursor \
            Event Sound View Window Screen Button Cell Control Document Menu MenuItem Pasteboard PasteboardItem PrintInfo \
            Responder Toolbar TextView TextField ViewController WindowController Workspace EdgeInsets Point Rect Size \
            LayoutConstraint DataAsset DiffableDataSourceSnapshot
            """
        ),
        (
            "UI",
            """
            Color Image ImageAsset ImageView ImageSymbolConfiguration ImageConfiguration Font FontDescriptor FontMetrics \
            BezierPath View ViewController Control Button Label TextField TextView ScrollView TableView TableViewCell \
            CollectionView CollectionViewCell StackView Window WindowScene Screen Device Application ApplicationShortcutItem \
            Event Touch Press GestureRecognizer Pasteboard EdgeInsets Offset Responder TraitCollection VisualEffect BlurEffect \
            VibrancyEffect StoryboardSegue Storyboard Nib NavigationItem NavigationController BarButtonItem BarItem TabBarItem \
            Menu Action Command KeyCommand MenuElement AlertController Document ManagedDocument LocalNotification \
            UserNotificationSettings MutableUserNotificationAction UserNotificationAction MotionEffect SceneSession \
            Scene LayoutGuide DragItem DropProposal ActivityViewController UserInterfaceStyle FloatRange Region \
            PrintInfo PrintFormatter DatePicker Slider Switch Stepper PageControl SegmentedControl WebView
            """
        ),
        (
            "CG",
            """
            AffineTransform Color ColorSpace Context Float Font Gradient Image Layer MutablePath Path Pattern PDFDocument PDFPage \
            Point Rect Size Vector Shading DataProvider
            """
        ),
        (
            "CI",
            "Color Context Detector Face Feature FaceFeature Filter FilterShape Image Kernel QRCodeFeature Sampler Vector"
        ),
        (
            "CA",
            """
            Animation BasicAnimation KeyframeAnimation AnimationGroup SpringAnimation Transition Layer ShapeLayer GradientLayer \
            TextLayer EmitterCell EmitterLayer MediaTimingFunction Transform3D ValueFunction DisplayLink
            """
        ),
        (
            "CL",
            """
            Beacon BeaconIdentityConstraint BeaconRegion CircularRegion Floor Geocoder Heading Location LocationCoordinate2D \
            LocationManager LocationSourceInformation Placemark Region Visit
            """
        ),
        (
            "MK",
            """
            Annotation AnnotationView Circle CoordinateRegion CoordinateSpan Direction Directions GeodesicPolyline \
            LocalSearchCompletion LocalSearchRequest MapCamera MapItem MapPoint MapRect MapSize MapView MultiPoint MultiPolygon \
            MultiPolyline Overlay Placemark PointAnnotation PointOfInterestFilter Polygon Polyline Route RouteStep Shape
            """
        ),
        (
            "CN",
            """
            Contact ContactProperty ContactRelation ContactVCardSerialization Group InstantMessageAddress LabeledValue \
            MutableContact MutableGroup MutablePostalAddress PhoneNumber PostalAddress SocialProfile
            """
        ),
        (
            "CK",
            """
            Asset Container Database Notification NotificationID QueryCursor Query QuerySubscription Record RecordID \
            RecordZone RecordZoneID RecordZoneSubscription Reference ServerChangeToken Share ShareMetadata ShareParticipant \
            Subscription UserIdentity UserIdentityLookupInfo
            """
        ),
        ("CM", "Acceleration Attitude DeviceMotion LogItem MotionActivity PedometerData Time TimeMapping TimeRange"),
        ("CB", "UUID Peripheral Service Characteristic Central CentralManager Descriptor MutableService"),
        (
            "AV",
            """
            Asset AssetTrack AudioFile AudioFormat AudioPCMBuffer AudioPlayer AudioSession CaptureDevice Composition \
            MetadataItem MutableComposition Player PlayerItem SpeechSynthesisVoice SpeechUtterance TimedMetadataGroup URLAsset
            """
        ),
        (
            "EK",
            "Alarm Calendar CalendarItem Event Participant RecurrenceEnd RecurrenceRule Reminder Source StructuredLocation"
        ),
        (
            "GK",
            "Achievement GameSession Invite Leaderboard LocalPlayer Match Player Score SavedGame TurnBasedMatch TurnBasedParticipant"
        ),
        (
            "HK",
            """
            CategorySample CategoryType Correlation DeletedObject Device Object ObjectType Quantity QuantitySample \
            QuantityType QueryAnchor Sample SampleType Source SourceRevision Unit Workout WorkoutActivity WorkoutConfiguration \
            WorkoutEvent WorkoutRoute
            """
        ),
        (
            "MP",
            "MediaItem MediaItemArtwork MediaItemCollection MediaPlaylist MediaPropertyPredicate MediaQuery MediaEntity"
        ),
        (
            "PH",
            "Asset AssetCollection AssetResource CloudIdentifier Collection CollectionList FetchResult LivePhoto Object "
                + "ObjectPlaceholder PersistentChangeToken AdjustmentData"
        ),
        (
            "PK",
            "Contact Drawing InkingTool Pass Payment PaymentMethod PaymentPass PaymentToken Stroke StrokePath StrokePoint Tool"
        ),
        ("PDF", "Annotation Document Page Selection View"),
        (
            "SCN",
            "Action Animation Camera Geometry GeometryElement GeometrySource Light Material Matrix4 Node ParticleSystem Scene "
                + "Vector3 Vector4"
        ),
        (
            "SK",
            "Action LabelNode Node PaymentTransaction Payment Product ProductDiscount Scene ShapeNode SpriteNode Texture"
        ),
        (
            "UN",
            """
            CalendarNotificationTrigger LocationNotificationTrigger MutableNotificationContent Notification NotificationAction \
            NotificationAttachment NotificationCategory NotificationContent NotificationRequest NotificationResponse \
            NotificationSettings NotificationSound NotificationTrigger PushNotificationTrigger TimeIntervalNotificationTrigger
            """
        ),
        ("WK", "BackForwardListItem NavigationAction UserScript WebView WebViewConfiguration WebsiteDataRecord"),
        ("IN", "Image Intent Interaction Person PersonHandle Shortcut SpeakableString"),
        ("LP", "ImageMetadata LinkMetadata VideoMetadata"),
        ("ML", "Model MultiArray FeatureValue FeatureProvider"),
        ("VN", "BarcodeObservation FaceObservation FeaturePrintObservation Observation RecognizedTextObservation"),
        ("AR", "Anchor Camera Frame PlaneAnchor ReferenceImage WorldMap"),
    ]
    return Set(suffixes.flatMap { item in item.names.split(separator: " ").map { item.prefix + $0 } })
}()
