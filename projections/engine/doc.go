// Package engine keeps read models: it feeds each one the ledger's events in order, exactly once in effect.
//
// Events arrive from JetStream for speed, but nothing depends on it: a gap, a wiped stream or a broker that is down is
// filled from Postgres. A model's checkpoint moves in the same transaction as its tables, and only from the position
// it was at, so that two projectors at once or a crash at any moment leave it right.
//
// Parts that stand at one position are kept together, see joint: one batch and one transaction for all of them. A batch
// that fails, or finds a checkpoint moved, is undone, and each takes it in a transaction of its own: who cannot take an
// event pauses alone. One that is slow or behind is kept by itself until it is level again.
//
// What is authoritative for what:
//
//	the ledger     the events
//	projections    where each part of each model stands, which version its tables are of, and whether it is paused
//	dead_letters   the events that models could not take
//	rebuilds       what is asked for, how far it is, what it came to
//	session locks  which process keeps which part; only to save work: the checkpoint's compare-and-set is what is safe
//
// A part of a model:
//
//	            event cannot be taken
//	following ───────────────────────▶ paused (dead letter)
//	    ▲                                │ Retry, a restart or a rebuild
//	    └────────────────────────────────┘
//
// A rebuild makes new tables in a schema beside the one that serves, folds the ledger into them, compares and flips:
//
//	create ▶ bulk ▶ readers' indexes ▶ catch up ▶ compare at one position ▶ catch up ▶ flip (rename, checkpoint)
//
// The serving tables are read and kept meanwhile. They are compared in a repeatable-read snapshot, which holds them
// still without a lock, so that even a long comparison delays nobody; the flip alone holds the checkpoint, and it only
// renames.
package engine
