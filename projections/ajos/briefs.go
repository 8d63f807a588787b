package ajos

import (
	"context"

	jsonv2 "github.com/go-json-experiment/json"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/infra/store/recent"
	"adashi.ng/projections/engine/memory"
)

// briefs are those of late, by their ajo: dues of one come soon after each other. One that is written anew is nil.
type briefs = recent.Map[string, *brief]

// briefsMost is how many are remembered, about. One takes some kilobytes.
const briefsMost = 800

// remembered are the briefs that the batches before left.
func remembered(ctx context.Context) *briefs {
	left := memory.Of[*briefs](ctx)
	if *left == nil {
		empty := recent.New[string](briefsMost, func(*brief) int { return 1 })
		*left = &empty
	}
	(*left).Turn()
	return *left
}

func briefIn(text []byte) (*brief, error) {
	a, err := thawed[ajo.Ajo](ajo.Ajos, text)
	return &brief{ajo: a, members: a.Members()}, err
}

func readyIn(text []byte) (cycles []ajo.Ready, err error) {
	if len(text) > 0 {
		err = jsonv2.Unmarshal(text, &cycles)
	}
	return cycles, err
}
