package exif

// block is a directory of a TIFF structure.
type block uint8

const (
	ifd0 block = iota
	ifd1
	exifIFD
	gpsIFD
	interopIFD
)

var blockNames = [...]string{"ifd0", "ifd1", "exif", "gps", "interop"}

// Tags that lead elsewhere or have a meaning here.
const (
	tagThumbnailOffset = 0x0201
	tagThumbnailLength = 0x0202
	tagOrientation     = 0x0112
	tagXMP             = 0x02bc
	tagIPTC            = 0x83bb
	tagExif            = 0x8769
	tagICC             = 0x8773
	tagGPS             = 0x8825
	tagInterop         = 0xa005
	tagMakerNote       = 0x927c
	tagUserComment     = 0x9286
)

// tiffNames are names of tags in the directories of images (Exif 2.32, 4.6.4; TIFF 6.0; DNG 1.6).
var tiffNames = map[uint16]string{
	0x000b: "ProcessingSoftware", 0x00fe: "SubfileType", 0x00ff: "OldSubfileType",
	0x0100: "ImageWidth", 0x0101: "ImageHeight", 0x0102: "BitsPerSample", 0x0103: "Compression",
	0x0106: "PhotometricInterpretation", 0x0107: "Thresholding", 0x010a: "FillOrder", 0x010d: "DocumentName",
	0x010e: "ImageDescription", 0x010f: "Make", 0x0110: "Model", 0x0111: "StripOffsets", tagOrientation: "Orientation",
	0x0115: "SamplesPerPixel", 0x0116: "RowsPerStrip", 0x0117: "StripByteCounts", 0x0118: "MinSampleValue",
	0x0119: "MaxSampleValue", 0x011a: "XResolution", 0x011b: "YResolution", 0x011c: "PlanarConfiguration",
	0x011d: "PageName", 0x011e: "XPosition", 0x011f: "YPosition", 0x0122: "GrayResponseUnit", 0x0123: "GrayResponseCurve",
	0x0124: "T4Options", 0x0125: "T6Options", 0x0128: "ResolutionUnit", 0x0129: "PageNumber", 0x012d: "TransferFunction",
	0x0131: "Software", 0x0132: "ModifyDate", 0x013b: "Artist", 0x013c: "HostComputer", 0x013d: "Predictor",
	0x013e: "WhitePoint", 0x013f: "PrimaryChromaticities", 0x0140: "ColorMap", 0x0141: "HalftoneHints",
	0x0142: "TileWidth", 0x0143: "TileLength", 0x0144: "TileOffsets", 0x0145: "TileByteCounts", 0x014a: "SubIFD",
	0x014c: "InkSet", 0x014d: "InkNames", 0x0151: "TargetPrinter", 0x0152: "ExtraSamples", 0x0153: "SampleFormat",
	0x015b: "JPEGTables", tagThumbnailOffset: "ThumbnailOffset", tagThumbnailLength: "ThumbnailLength",
	0x0211: "YCbCrCoefficients", 0x0212: "YCbCrSubSampling", 0x0213: "YCbCrPositioning", 0x0214: "ReferenceBlackWhite",
	tagXMP: "ApplicationNotes", 0x4746: "Rating", 0x4749: "RatingPercent", 0x8298: "Copyright", 0x830e: "PixelScale",
	tagIPTC: "IPTC", 0x8482: "ModelTiePoint", 0x85d8: "ModelTransform", 0x8649: "PhotoshopSettings", tagExif: "ExifIFD",
	tagICC: "ICC", tagGPS: "GpsIFD", 0x87af: "GeoTiffDirectory", 0x87b0: "GeoTiffDoubleParams", 0x87b1: "GeoTiffAsciiParams",
	0x9c9b: "XPTitle", 0x9c9c: "XPComment", 0x9c9d: "XPAuthor", 0x9c9e: "XPKeywords", 0x9c9f: "XPSubject",
	tagInterop: "InteropIFD", 0xc4a5: "PrintIM", 0xc612: "DNGVersion", 0xc613: "DNGBackwardVersion",
	0xc614: "UniqueCameraModel", 0xc615: "LocalizedCameraModel", 0xc62f: "CameraSerialNumber", 0xc630: "DNGLensInfo",
	0xc634: "DNGPrivateData", 0xc65a: "CalibrationIlluminant1", 0xc65b: "CalibrationIlluminant2", 0xc68b: "OriginalRawFileName", 0xc6d2: "PanasonicTitle", 0xc6d3: "PanasonicTitle2",
}

var exifNames = map[uint16]string{
	0x829a: "ExposureTime", 0x829d: "FNumber", 0x8822: "ExposureProgram", 0x8824: "SpectralSensitivity", 0x8827: "ISO",
	0x882a: "TimeZoneOffset", 0x882b: "SelfTimerMode", 0x8830: "SensitivityType", 0x8831: "StandardOutputSensitivity",
	0x8832: "RecommendedExposureIndex", 0x8833: "ISOSpeed", 0x8834: "ISOSpeedLatitudeyyy", 0x8835: "ISOSpeedLatitudezzz",
	0x9000: "ExifVersion", 0x9003: "DateTimeOriginal", 0x9004: "CreateDate", 0x9009: "GooglePlusUploadCode",
	0x9010: "OffsetTime", 0x9011: "OffsetTimeOriginal", 0x9012: "OffsetTimeDigitized", 0x9101: "ComponentsConfiguration",
	0x9102: "CompressedBitsPerPixel", 0x9201: "ShutterSpeedValue", 0x9202: "ApertureValue", 0x9203: "BrightnessValue",
	0x9204: "ExposureCompensation", 0x9205: "MaxApertureValue", 0x9206: "SubjectDistance", 0x9207: "MeteringMode",
	0x9208: "LightSource", 0x9209: "Flash", 0x920a: "FocalLength", 0x9211: "ImageNumber", 0x9212: "SecurityClassification",
	0x9213: "ImageHistory", 0x9214: "SubjectArea", tagMakerNote: "MakerNote", tagUserComment: "UserComment",
	0x9290: "SubSecTime", 0x9291: "SubSecTimeOriginal", 0x9292: "SubSecTimeDigitized", 0x9400: "AmbientTemperature",
	0x9401: "Humidity", 0x9402: "Pressure", 0x9403: "WaterDepth", 0x9404: "Acceleration", 0x9405: "CameraElevationAngle",
	0xa000: "FlashpixVersion", 0xa001: "ColorSpace", 0xa002: "ExifImageWidth", 0xa003: "ExifImageHeight",
	0xa004: "RelatedSoundFile", tagInterop: "InteropIFD", 0xa20b: "FlashEnergy", 0xa20e: "FocalPlaneXResolution",
	0xa20f: "FocalPlaneYResolution", 0xa210: "FocalPlaneResolutionUnit", 0xa214: "SubjectLocation", 0xa215: "ExposureIndex",
	0xa217: "SensingMethod", 0xa300: "FileSource", 0xa301: "SceneType", 0xa302: "CFAPattern", 0xa401: "CustomRendered",
	0xa402: "ExposureMode", 0xa403: "WhiteBalance", 0xa404: "DigitalZoomRatio", 0xa405: "FocalLengthIn35mmFormat",
	0xa406: "SceneCaptureType", 0xa407: "GainControl", 0xa408: "Contrast", 0xa409: "Saturation", 0xa40a: "Sharpness",
	0xa40c: "SubjectDistanceRange", 0xa420: "ImageUniqueID", 0xa430: "OwnerName", 0xa431: "SerialNumber", 0xa432: "LensInfo",
	0xa433: "LensMake", 0xa434: "LensModel", 0xa435: "LensSerialNumber", 0xa460: "CompositeImage", 0xa461: "CompositeImageCount",
	0xa462: "CompositeImageExposureTimes", 0xa500: "Gamma", 0xea1c: "Padding", 0xea1d: "OffsetSchema",
	0xfde8: "OwnerName", 0xfde9: "SerialNumber", 0xfdea: "Lens", 0xfe4c: "RawFile", 0xfe4d: "Converter",
	0xfe4e: "WhiteBalance", 0xfe51: "Exposure", 0xfe52: "Shadows", 0xfe53: "Brightness", 0xfe54: "Contrast",
	0xfe55: "Saturation", 0xfe56: "Sharpness", 0xfe57: "Smoothness", 0xfe58: "MoireFilter",
}

var gpsNames = map[uint16]string{
	0: "GPSVersionID", 1: "GPSLatitudeRef", 2: "GPSLatitude", 3: "GPSLongitudeRef", 4: "GPSLongitude", 5: "GPSAltitudeRef",
	6: "GPSAltitude", 7: "GPSTimeStamp", 8: "GPSSatellites", 9: "GPSStatus", 10: "GPSMeasureMode", 11: "GPSDOP",
	12: "GPSSpeedRef", 13: "GPSSpeed", 14: "GPSTrackRef", 15: "GPSTrack", 16: "GPSImgDirectionRef", 17: "GPSImgDirection",
	18: "GPSMapDatum", 19: "GPSDestLatitudeRef", 20: "GPSDestLatitude", 21: "GPSDestLongitudeRef", 22: "GPSDestLongitude",
	23: "GPSDestBearingRef", 24: "GPSDestBearing", 25: "GPSDestDistanceRef", 26: "GPSDestDistance",
	27: "GPSProcessingMethod", 28: "GPSAreaInformation", 29: "GPSDateStamp", 30: "GPSDifferential", 31: "GPSHPositioningError",
}

var interopNames = map[uint16]string{
	0x0001: "InteropIndex", 0x0002: "InteropVersion", 0x1000: "RelatedImageFileFormat", 0x1001: "RelatedImageWidth", 0x1002: "RelatedImageHeight",
}

// names are the names of tags by block.
var names = [...]map[uint16]string{ifd0: tiffNames, ifd1: tiffNames, exifIFD: exifNames, gpsIFD: gpsNames, interopIFD: interopNames}

// words say what numbers mean.
type words map[int]string

var tiffWords = map[uint16]words{
	tagOrientation: {1: "Horizontal (normal)", 2: "Mirror horizontal", 3: "Rotate 180", 4: "Mirror vertical",
		5: "Mirror horizontal and rotate 270 CW", 6: "Rotate 90 CW", 7: "Mirror horizontal and rotate 90 CW", 8: "Rotate 270 CW"},
	0x0128: {1: "None", 2: "inches", 3: "cm"},
}

var levels = words{0: "Normal", 1: "Low", 2: "High"}

var exifWords = map[uint16]words{
	0x8822: {0: "Not defined", 1: "Manual", 2: "Normal program", 3: "Aperture priority", 4: "Shutter priority",
		5: "Creative program", 6: "Action program", 7: "Portrait mode", 8: "Landscape mode"},
	0x9207: {0: "Unknown", 1: "Average", 2: "CenterWeightedAverage", 3: "Spot", 4: "MultiSpot", 5: "Pattern", 6: "Partial", 255: "Other"},
	0x9208: {0: "Unknown", 1: "Daylight", 2: "Fluorescent", 3: "Tungsten (incandescent light)", 4: "Flash", 9: "Fine weather",
		10: "Cloudy weather", 11: "Shade", 12: "Daylight fluorescent (D 5700 - 7100K)", 13: "Day white fluorescent (N 4600 - 5400K)",
		14: "Cool white fluorescent (W 3900 - 4500K)", 15: "White fluorescent (WW 3200 - 3700K)", 17: "Standard light A",
		18: "Standard light B", 19: "Standard light C", 20: "D55", 21: "D65", 22: "D75", 23: "D50", 24: "ISO studio tungsten", 255: "Other"},
	0x9209: flashWords,
	0xa210: {1: "No absolute unit of measurement", 2: "Inch", 3: "Centimeter"},
	0xa217: {1: "Not defined", 2: "One-chip color area sensor", 3: "Two-chip color area sensor", 4: "Three-chip color area sensor",
		5: "Color sequential area sensor", 7: "Trilinear sensor", 8: "Color sequential linear sensor"},
	0xa300: {1: "Film Scanner", 2: "Reflection Print Scanner", 3: "Digital Camera"},
	0xa301: {1: "Directly photographed"},
	0xa401: {0: "Normal", 1: "Custom", 2: "HDR (no original saved)", 3: "HDR (original saved)", 4: "Original (for HDR)",
		6: "Panorama", 7: "Portrait HDR", 8: "Portrait"},
	0xa402: {0: "Auto", 1: "Manual", 2: "Auto bracket"},
	0xa403: {0: "Auto", 1: "Manual"},
	0xa406: {0: "Standard", 1: "Landscape", 2: "Portrait", 3: "Night", 4: "Other"},
	0xa407: {0: "None", 1: "Low gain up", 2: "High gain up", 3: "Low gain down", 4: "High gain down"},
	0xa408: levels, 0xa409: levels, 0xa40a: levels,
	0xa40c: {0: "Unknown", 1: "Macro", 2: "Close", 3: "Distant"},
	0xa460: {0: "Unknown", 1: "Not a Composite Image", 2: "General Composite Image", 3: "Composite Image Captured While Shooting"},
}

var flashWords = words{
	0x00: "Flash did not fire", 0x01: "Flash fired", 0x05: "Strobe return light not detected", 0x07: "Strobe return light detected",
	0x09: "Flash fired, compulsory flash mode", 0x0d: "Flash fired, compulsory flash mode, return light not detected",
	0x0f: "Flash fired, compulsory flash mode, return light detected", 0x10: "Flash did not fire, compulsory flash mode",
	0x18: "Flash did not fire, auto mode", 0x19: "Flash fired, auto mode", 0x1d: "Flash fired, auto mode, return light not detected",
	0x1f: "Flash fired, auto mode, return light detected", 0x20: "No flash function", 0x41: "Flash fired, red-eye reduction mode",
	0x45: "Flash fired, red-eye reduction mode, return light not detected", 0x47: "Flash fired, red-eye reduction mode, return light detected",
	0x49: "Flash fired, compulsory flash mode, red-eye reduction mode",
	0x4d: "Flash fired, compulsory flash mode, red-eye reduction mode, return light not detected",
	0x4f: "Flash fired, compulsory flash mode, red-eye reduction mode, return light detected",
	0x59: "Flash fired, auto mode, red-eye reduction mode", 0x5d: "Flash fired, auto mode, return light not detected, red-eye reduction mode",
	0x5f: "Flash fired, auto mode, return light detected, red-eye reduction mode",
}

// valueWords are the words for values by block.
var valueWords = [...]map[uint16]words{ifd0: tiffWords, ifd1: tiffWords, exifIFD: exifWords, gpsIFD: nil, interopIFD: nil}

// gpsWords say what letters mean.
var gpsWords = map[uint16]map[string]string{
	23: {"M": "Magnetic North", "T": "True North"},
	25: {"K": "Kilometers", "M": "Miles", "N": "Nautical Miles"},
}

// iptcNames are names of the data sets of record 2 (IIM 4.2, chapter 6).
var iptcNames = map[byte]string{
	0: "ApplicationRecordVersion", 3: "ObjectTypeReference", 4: "ObjectAttributeReference", 5: "ObjectName", 7: "EditStatus",
	8: "EditorialUpdate", 10: "Urgency", 12: "SubjectReference", 15: "Category", 20: "SupplementalCategories",
	22: "FixtureIdentifier", 25: "Keywords", 26: "ContentLocationCode", 27: "ContentLocationName", 30: "ReleaseDate",
	35: "ReleaseTime", 37: "ExpirationDate", 38: "ExpirationTime", 40: "SpecialInstructions", 42: "ActionAdvised",
	45: "ReferenceService", 47: "ReferenceDate", 50: "ReferenceNumber", 55: "DateCreated", 60: "TimeCreated",
	62: "DigitalCreationDate", 63: "DigitalCreationTime", 65: "OriginatingProgram", 70: "ProgramVersion", 75: "ObjectCycle",
	80: "Byline", 85: "BylineTitle", 90: "City", 92: "Sublocation", 95: "State", 100: "CountryCode", 101: "Country",
	103: "OriginalTransmissionReference", 105: "Headline", 110: "Credit", 115: "Source", 116: "CopyrightNotice",
	118: "Contact", 120: "Caption", 121: "LocalCaption", 122: "Writer", 130: "ImageType", 131: "ImageOrientation",
	135: "LanguageIdentifier",
}
