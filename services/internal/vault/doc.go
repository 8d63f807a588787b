// Package vault keeps what says who members are, apart from the ledger: in a schema and under a database role of its
// own, encrypted with a data key a person.
//
//	master key (configuration) ──wraps──▶ data key of a person ──seals──▶ their record, their files
//
// Whatever is sealed is bound to its person and its field, so that a row moved elsewhere does not open. Destroying a
// person's data key makes everything of theirs unreadable, in every backup too, and leaves the ledger as it was.
// A BVN is kept only as a keyed hash, which tells whether two are the same, and its last two digits.
package vault
