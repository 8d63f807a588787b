// Package proofs makes the ledger tamper-evident: an RFC 6962 Merkle tree over every event, signed checkpoints of it,
// and proofs and receipts that anybody can check without trusting us.
//
//	events ──leaf──▶ tiles ──root──▶ checkpoint (signed) ──▶ a file outside the database
//	                   └─────────────────┴──▶ inclusion, consistency, receipts
//
// Leaf i of the tree is the event at position i + 1, so a tree of size n holds positions 1 to n. Tiles, of height 8,
// and checkpoints live in Postgres and are written in one transaction: there is a checkpoint for exactly as much as
// there are tiles. A checkpoint is a C2SP tlog-checkpoint, a signed note of three lines: the origin, which is the
// ledger key's name and the epoch ("adashi.ng/ledger/e1"), the size, and the root in base64.
//
// What is caught, and by whom:
//   - Events cut off the end, or cut and written anew: the Sealer refuses to sign, and keeps refusing.
//   - Database and checkpoints cut together, as by an old backup: the checkpoint file knows of more than the database.
//   - Tiles and checkpoints removed, and history written anew: the file's roots are not those of the events.
//   - An epoch that somebody invented, in which all that is as it should be: the ledger's key did not sign its start.
//   - A changed tile: every read checks its tiles against the signed root.
//   - A changed event: its receipt is refused; all of them by recomputing the tree from the events (Tree).
//
// A checkpoint is in the file, on the disk, before it is in the database. The file also holds statements: what an
// operator said with the ledger's key when an epoch began, and what all accounts held when a partition went elsewhere.
// Kept.Against is the rule that the Sealer and the audit share.
//
// Postgres stays the truth of what happened; nothing here is needed to append.
package proofs
