// Package sim runs the ledger in memory with random faults, to find out what breaks it.
//
//	clients ──▶ store (the real one) ──▶ Disk ◀── relay (the real one) ──▶ Bus ──▶ keeper ──▶ Model
//
// Disk simulates Postgres and passes the same tests (ledger/infra/store); Bus simulates JetStream; a keeper simulates
// that of projections/engine. Each of them is reached through a Process, which takes time over everything and at every
// marked Site may crash, stall or find the other side away. Commits lose their replies, the broker loses messages that
// it had acknowledged, the database fails over to a standby without the last commits, clocks disagree, clients give up,
// click twice, come back elsewhere with the same key or reuse it for something else.
//
// Run does this for one seed, lets everything recover and then compares the final state with what was promised: see
// check.go.
//
// A seed fixes every delay, fault and wish. Each is drawn by its process, its purpose and its count, so that it does
// not depend on what else runs. A seed does not fix the order in which Go runs goroutines that become ready at the same
// virtual instant. Delays are drawn to the nanosecond, so that hardly ever happens, and a seed almost always gives the
// same history (a test checks that).
package sim
