// Package engine keeps read models: it feeds each one the ledger's events in order, exactly once in effect.
//
// Events arrive from JetStream for speed, but nothing depends on it: after a gap, a wiped stream or an outage of the
// broker they are read from Postgres. A model's checkpoint moves in the same transaction as its tables, and only from
// the position it was at, so that two projectors at once or a crash at any moment do no harm.
//
// Parts at one position are kept together, see joint: one batch and one transaction for all of them. A batch that
// fails, or finds a checkpoint moved, is rolled back, and each part takes it in a transaction of its own, so that only
// a part that cannot take an event pauses. A part that is slow or behind is kept by itself until it has caught up.
//
// Where the authoritative data is:
//
//	the ledger     the events
//	projections    the position of each part of each model, the version of its tables, and whether it is paused
//	dead_letters   the events that models could not take
//	rebuilds       what was asked for, the progress, the result
//	session locks  which process keeps which part; only to save work: the checkpoint's compare-and-set gives safety
//
// A part of a model:
//
//	            event cannot be taken
//	following ───────────────────────▶ paused (dead letter)
//	    ▲                                │ Retry, a restart or a rebuild
//	    └────────────────────────────────┘
//
// A rebuild makes new tables in a schema beside the serving one, folds the ledger into them, compares and flips:
//
//	create ▶ bulk ▶ readers' indexes ▶ catch up ▶ compare at one position ▶ catch up ▶ flip (rename, checkpoint)
//
// The serving tables are read and kept meanwhile. They are compared in a repeatable-read snapshot, which freezes them
// without a lock, so that even a long comparison delays nothing; only the flip locks the checkpoint, and it just
// renames.
package engine
