// Package proofs makes the ledger tamper-evident: an RFC 6962 Merkle tree over every event, signed checkpoints of it,
// and proofs and receipts that anybody can check without trusting us.
//
//	events ──leaf──▶ tiles ──root──▶ checkpoint (signed) ──▶ a file outside the database
//	                   └─────────────────┴──▶ inclusion, consistency, receipts
//
// Leaf i of the tree is the event at position i + 1, so a tree of size n holds positions 1 to n. Tiles, of height 8,
// and checkpoints live in Postgres and are written in one transaction, so the latest checkpoint covers exactly the
// stored tiles. A checkpoint is a C2SP tlog-checkpoint, a signed note of three lines: the origin, which is the ledger
// key's name and the epoch ("adashi.ng/ledger/e1"), the size, and the root in base64.
//
// Attacks and how they are found:
//   - Events cut off the end, or cut and rewritten: the Sealer refuses to sign, and keeps refusing.
//   - Database and checkpoints cut together, as by an old backup: the checkpoint file has a later checkpoint.
//   - Tiles and checkpoints removed, and history rewritten: the roots in the file differ from those of the events.
//   - An invented epoch that is consistent in itself: the ledger's key did not sign its start.
//   - A changed tile: every read checks its tiles against the signed root.
//   - A changed event: its receipt is refused; all of them by recomputing the tree from the events (Tree).
//
// A checkpoint is written to the file, on the disk, before the database. The file also holds statements: an operator's
// statement, under the ledger's key, that an epoch began, and the balances of all accounts when a partition was moved
// elsewhere. Kept.Against is the rule that the Sealer and the audit share.
//
// Postgres remains the source of truth; appending an event needs nothing of this package.
package proofs
