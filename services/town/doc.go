// Package town plays a year of the whole product at random: people, their bank, time and the jobs.
//
// It starts the product in one process, with one clock that it moves. The same seed plays the same year again. The
// acts are the commands of the HTTP contract; a command that no act can make fails a test. What must hold asks the
// bank, a sum or an outcome, and repeats no rule of the product: see questions_test.go.
package town
