// Package assets is the capability to move files between guests, their workspace and the
// host's durable assets: the globals assetToSandbox and sandboxToAsset, and media.* for
// references to media.
//
// # References
//
// A reference is a plain object, as a generation result or media.toImage returns it:
//
//	{ type: "image", uri: "asset://a1.png", asset_id: "a1.png", … }
//
// Of its asset_uri, asset_id, url and uri the first counts that names a place but no file;
// else asset_id, else the first there is. A string that names a place is a reference, too.
// What the place is decides who resolves it:
//
//	data                  base64 text or a Uint8Array in the reference itself, before all else
//	asset://ID            Policy.Store, also without the extension of ID
//	/api/storage/KEY      Policy.Storage, also with an asset_id and the extensions of its type
//	data:…                the URI itself
//	file://…, paths       the run's workspace, by the same rules as workspace.*
//	http(s)://…           the run's fetch, by the same guard, limits and counters
//	package://…           nobody: refused
//
// A file or an address therefore needs the grant of the workspace or of fetch besides the
// one of this package.
//
// # Where new media go
//
// Into the Store; if there is none that creates, into the Storage; else, up to 4 MiB, into a
// data: URI in the reference.
//
// # Values from guests
//
// Ids, names, types and bytes are the guest's and may be anything. What reaches a Store is
// bounded in size, and ids have no control characters; a Store must not take them for
// paths. Names are for display.
package assets
