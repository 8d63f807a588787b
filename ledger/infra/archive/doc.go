// Package archive writes the ledger's events into one file and restores a ledger from it.
//
//	"adashi archive v1\n"
//	H header, JSON   H, B and T are frames: kind (1 byte), length (4 bytes, big-endian), payload, chain (32 bytes)
//	B block, zstd    of records: for each a 32-bit length and event.Record.Encode
//	B …
//	T trailer, JSON  count, last position, RFC 6962 root, SHA-256 of all records
//
// The chain of a frame is SHA-256 over the chain before it, the kind, the length and the payload, and begins with the
// SHA-256 of the first line: a reader of a file that was cut, reordered, altered or added to fails at the frame in
// question. The chain is no signature. The signature is that of the checkpoint in the header, which covers the events
// up to its size: a reader with the ledger's public key need trust nobody else.
//
// An archive holds events, and so everything that follows from them. It does not hold the refused commands that the
// store remembers: after a restore, a retry of such a key is decided as a new command.
package archive
