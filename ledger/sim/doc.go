// Package sim runs the ledger in a world made of memory and chance, to find out what breaks it.
//
//	clients ──▶ store (the real one) ──▶ Disk ◀── relay (the real one) ──▶ Bus ──▶ keeper ──▶ Model
//
// Disk stands for Postgres and passes the same tests as it does (ledger/infra/store); Bus stands for JetStream; a
// keeper stands for that of projections/engine. Each of them is reached through a Process, which takes time over
// everything and at every marked Site may crash, stall or find the other side away. Commits lose their replies, the
// broker loses what it had acknowledged, the database fails over to a standby without the last commits, clocks
// disagree, clients give up, click twice, come back elsewhere with the same key or reuse it for something else.
//
// Run does this for one seed, lets everything recover and then holds what is left against what was promised: see
// check.go.
//
// What a seed fixes: every delay, fault and wish. They are drawn by who asks, for what and for how many times, so that
// they do not depend on what else goes on. What it does not: the order in which Go runs goroutines that become ready
// at the same virtual instant. Delays are drawn to the nanosecond, so that hardly ever happens, and a seed tells the
// same history nearly always (a test holds it to that).
package sim
