// Package store is the event store: Postgres tables that hold every event in commit order, and the appender that
// decides commands and writes them in groups.
//
// Group commit: callers queue commands; the one appender of each process takes all that wait (Options.Batch at most),
// decides each in Go, and writes all their events in one transaction under the lock of the row in ledger_gate. It
// decides in one of two ways:
//
//   - ahead (pipeline.go): while the batch before is in flight, on the memory as that batch will leave it. The
//     transaction then takes the lock and fails, with nothing written, if the ledger does not end where it should.
//   - under the lock (append.go): at the start, after another process has written, and whenever something failed.
//
// Any number of processes may append at once: the lock orders them, and the last event's leaf tells a process that its
// memory is stale.
//
// An append updates no row (settle.go). Each event records the balances that it leaves. Four times a second these are
// written to ledger_accounts, after a check that they agree with the sums of the amounts. Until then only the memory
// has the current balances. Balances that do not agree stop all appends.
//
// What a caller may rely on:
//   - A nil error means that the events are committed. A *fault.Fault means that nothing was recorded for the command
//     but the refusal itself, and for one that is Unavailable or TooMany not even that. Any other error is ErrUnknown:
//     ask again with the same Command.ID.
//   - No command fails its neighbours: neither one that is refused nor one that cannot be decided or written
//     (ErrUndecided). Only an outage of the database fails them all.
//   - A caller who gives up before their command was sent gets the answer that nothing was taken.
//   - The same Command.ID is recorded at most once, for ever; with another Hash it is refused.
package store
