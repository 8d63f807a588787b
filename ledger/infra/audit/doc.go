// Package audit verifies a ledger against itself and against the signed checkpoints. It reads every event once,
// computes everything that follows from the events, and compares it with the stored rows.
//
//	events (COPY) ─▶ chunks ─▶ workers: decode, hash, post ─▶ one walk, in order: positions, versions, balances,
//	                                                          commands, state machines, references, Merkle tree
//	walk ─▶ tables: head, accounts, commands, snapshots, tiles, checkpoints, the checkpoint file, the stream
//
// It works beside a live ledger: all tables are read in one snapshot, read-only, and no lock is taken. The next audit
// sees events that are recorded after the snapshot.
//
// Memory: about 60 bytes a stream, 40 a bank reference, 150 an account and 32 for 256 events, whatever the events hold:
// some 100 MB for a million streams. Each violation names its position or its row, in a sentence.
//
// Partitions that are detached are verified too while their tables are in the database. The report names each one that
// is kept elsewhere: its leaves come from the sealed tiles, so that every root can still be verified, and the balances,
// versions and states of later events count as correct where they first appear.
package audit
