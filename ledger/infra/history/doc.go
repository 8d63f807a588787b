// Package history reads the events of a ledger in order, by position, in bulk or as they were
// stored, and knows the partitions they are kept in and the epochs of their history. Package store
// appends them.
package history
