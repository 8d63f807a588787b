// Package store is the event store: Postgres tables that hold every event in commit order, and the appender that
// decides commands and writes them in groups.
//
// Group commit: callers queue commands; one appender a process takes as many as wait (Options.Batch at most), locks
// the head row, decides each command in Go, writes all events in one statement, and commits. Any number of processes
// may append at once: the head row's lock orders them, and its writer column tells a process that its memory is stale.
//
// What a caller may rely on:
//   - A nil error means that the events are committed. A *fault.Fault means that nothing was recorded for the command
//     but the refusal itself. Any other error is ErrUnknown or an outage: ask again with the same Command.ID.
//   - One command's refusal never fails its neighbours.
//   - The same Command.ID is recorded at most once, for ever; with another Hash it is refused.
package store
