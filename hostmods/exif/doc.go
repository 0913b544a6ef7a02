// Package exif reads the metadata of pictures – EXIF, GPS, PNG headers, and on demand JFIF,
// IPTC, XMP and ICC – and removes it, and registers the host module "exif". Names of tags and
// their values read as those of the npm package exifr do.
//
// JPEG, PNG, WebP, TIFF, HEIC and AVIF are read. Offsets and sizes in files are checked against
// the bytes that are there before anything is taken for them: metadata in memory is never
// larger than a small multiple of the file, and no chain of directories is followed twice.
//
// The formats are those of Exif 2.32 (CIPA DC-008), TIFF 6.0, PNG (third edition), the WebP
// container, IPTC IIM 4.2, ICC.1:2022 and ISO/IEC 23008-12.
//
// # What differs from exifr
//
//   - WebP is read, too.
//   - Dates are taken as UTC, not as the time of the machine, and what is no date, such as
//     0000:00:00 00:00:00, stays a text instead of becoming one of 1899.
//   - Of a damaged directory the entries that can be read are given, where the other drops all.
//   - Texts that are not UTF-8 are taken for Latin-1.
//   - XMP is the packet as text, not an object.
package exif
