// Package vault stores the data that identifies members, apart from the ledger: in a schema and under a database role
// of its own, encrypted with one data key for each person.
//
//	master key (configuration) ──wraps──▶ data key of a person ──seals──▶ their record, their files
//
// Sealed data is bound to its person and its field, so that a row that was moved elsewhere does not open. Destroying a
// person's data key makes all their data unreadable, in every backup too, and leaves the ledger unchanged. A BVN is
// stored only as a keyed hash, which shows whether two are the same, and its last two digits.
package vault
