// Package reserves commits, beside each proof of reserves, to all that is owed, and lets everybody find what is theirs
// in that sum. What is committed to is what the ledger's accounts hold: an account of one member is shown to them, a
// pot to the members of its ajo, and a sub-account's pool to whoever may see its total. Nobody else is told of any.
package reserves

import (
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// Service commits and proves.
type Service struct {
	*usecase.Base
	Membership *membership.Reader
	Proofs     *proofs.Reader
	// Key is what salts come from. It is not in the database, and kept for ever. Without one nothing is committed to.
	Key []byte
}
