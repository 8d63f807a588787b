package reserves

import (
	"encoding/hex"
	"strconv"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/liabilities"
	"adashi.ng/services/internal/usecase"
)

// What is answered here. No other file of the package knows the contract.
type (
	ProvenAccount     = contract.ProvenAccount
	ProvenAccountKind = contract.ProvenAccountKind
	ReservesProof     = contract.ReservesProof
	ReservesRoot      = contract.ReservesRoot
)

// Their values.
const (
	CARD           = contract.ProvenAccountKindCARD
	DEPOSIT        = contract.ProvenAccountKindDEPOSIT
	POT            = contract.ProvenAccountKindPOT
	SUBACCOUNT     = contract.ProvenAccountKindSUBACCOUNT
	SUBACCOUNTHELD = contract.ProvenAccountKindSUBACCOUNTHELD
	WALLET         = contract.ProvenAccountKindWALLET
	WALLETHELD     = contract.ProvenAccountKindWALLETHELD
)

func (c commitment) view() ReservesRoot {
	return ReservesRoot{
		Id: c.ID.String(), At: c.MadeAt.UTC(), Position: c.Position, Root: hex.EncodeToString(c.Root), Sum: strconv.FormatInt(c.Sum, 10),
		Leaves: c.Leaves, KeyId: c.KeyID, RecordedPosition: c.Pos,
	}
}

func proofView(c commitment, f liabilities.File, receipt *proofs.Slip, mine owned) ReservesProof {
	out := ReservesProof{At: c.MadeAt.UTC(), Accounts: []ProvenAccount{}, File: contract.LiabilitiesFile{
		Version: f.Version, Id: f.ID, Position: f.Position, Root: hex.EncodeToString(f.Root[:]), Sum: kobo(f.Sum), Leaves: f.Leaves,
		Accounts: []contract.LiabilityProven{},
	}}
	for _, a := range f.Accounts {
		proven := contract.LiabilityProven{Account: a.Account, Kobo: kobo(a.Kobo)}
		for _, p := range a.Parts {
			part := contract.LiabilityPart{Kobo: kobo(p.Kobo), Salt: hex.EncodeToString(p.Salt[:]), Index: p.Index}
			for _, b := range p.Path {
				part.Path = append(part.Path, contract.LiabilityBeside{Kobo: kobo(b.Kobo), Hash: hex.EncodeToString(b.Hash[:])})
			}
			proven.Parts = append(proven.Parts, part)
		}
		out.File.Accounts = append(out.File.Accounts, proven)
		called := mine.called(a.Account)
		out.Accounts = append(out.Accounts, ProvenAccount{Account: a.Account, Kind: called.kind, Name: called.name})
	}
	if receipt != nil {
		out.File.Receipt = &contract.Receipt{
			Position: receipt.Position, LeafHash: usecase.OrNil(receipt.LeafHash), Record: usecase.OrNil(receipt.Record), Size: receipt.Size,
			Root: receipt.Root, Path: &receipt.Path, Checkpoint: receipt.Checkpoint, Key: receipt.Key,
		}
	}
	return out
}

func kobo(k liabilities.Kobo) string { return strconv.FormatInt(int64(k), 10) }
