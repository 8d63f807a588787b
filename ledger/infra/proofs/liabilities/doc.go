// Package liabilities commits to the balances of all accounts with one hash, so that each member can check that theirs
// is counted.
//
//	account ──split──▶ leaves (hash, kobo) ──▶ nodes (hash, sum) ──▶ root: one hash and the sum of all
//
// It is a Merkle-sum tree, after Maxwell's proof of liabilities ("Proving your bitcoin reserves", 2014). A node's hash
// commits to the sum of its left and of its right child, each by itself: where only their total is hashed, two nodes
// can be given sums of which one is not counted (Chalkias, Chatzigiannis and Ji, "Broken Proofs of Solvency in
// Blockchain Custodial Wallets and Exchanges", 2022). No sum is ever negative or overflows, and Verify checks both at
// every step.
//
// A path shows the sums beside it. So that these reveal nothing about other accounts, every account is split into
// leaves of random amounts, the leaves of one account are spread over the tree, and empty leaves fill the tree up to a
// power of two, which hides the number of accounts (Chalkias, Lewi, Mohassel and Nikolaenko, "Distributed Auditing
// Proofs of Liabilities", 2020). A leaf's hash has a salt of its own, and nobody can tie the leaf to an account without
// it. The leaves are sorted by their hashes, an order as good as random. All salts come from one Secret of the
// commitment.
//
// A member who finds their leaves in the sum knows that they are counted. Each member can check only their own;
// completeness needs every member to check.
package liabilities
