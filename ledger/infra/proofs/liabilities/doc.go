// Package liabilities commits to what is owed to everybody by one hash, so that each can check that theirs is counted.
//
//	account ──split──▶ leaves (hash, kobo) ──▶ nodes (hash, sum) ──▶ root: one hash and the sum of all
//
// It is a Merkle-sum tree, after Maxwell's proof of liabilities ("Proving your bitcoin reserves", 2014). A node's hash
// commits to the sum of its left and of its right child, each by itself: where only their total is hashed, two nodes
// can be given sums of which one is not counted (Chalkias, Chatzigiannis and Ji, "Broken Proofs of Solvency in
// Blockchain Custodial Wallets and Exchanges", 2022). No sum is ever negative or overflows, and Verify holds both at
// every step.
//
// A path shows the sums beside it. So that they tell nothing of others, every account is split into leaves of random
// amounts, one account's leaves stand apart, and leaves of nothing fill the tree up to a power of two, which hides the
// number of accounts (Chalkias, Lewi, Mohassel and Nikolaenko, "Distributed Auditing Proofs of Liabilities", 2020).
// A leaf's hash has a salt of its own, without which it can be tied to no account; the leaves stand in the order of
// their hashes, which is as good as random. All salts come from one Secret of the commitment.
//
// Who finds their leaves in the sum knows that they are counted. That nobody else is left out, only they can find.
package liabilities
