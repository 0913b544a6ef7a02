// Package media keeps the pictures, sounds and films of one run on the host. Guests hold
// handles: small plain objects that name what is kept here. It knows no JavaScript, and
// decodes nothing itself.
package media
