package e2e

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/profile"
)

// exports is what a person takes along of what is kept about them, and the same as it is written down.
func (p *person) exports(i *boot.Instance) (profile.Export, string) {
	p.Helper()
	exported, err := i.Profile.Export(context.Background(), p.id)
	require.NoError(p, err)
	raw, err := json.Marshal(exported)
	require.NoError(p, err)
	return exported, string(raw)
}

// isExported holds the export of each member of an ajo that is over to what they paid and collected, and of who owed
// once. Nobody else is named in it.
func (r *round) isExported(owed int) {
	r.Helper()
	r.debtsAreExported(owed)
	for n, p := range r.people {
		exported, raw := p.exports(r.i)
		require.NotEmpty(r, exported.Devices)
		require.Equal(r, exported.Devices[0].Device, exported.Sessions[0].Device)
		require.Len(r, exported.Ajo.Places, 1)
		place := exported.Ajo.Places[0]
		require.Equal(r, r.id, place.AjoID)
		require.EqualValues(r, []int32{int32(r.seat(n))}, place.Seats)
		var dues, payouts int64
		for _, m := range exported.Ajo.Movements {
			switch {
			case m.Kind == "PAYOUT" && m.Received:
				payouts += m.AmountKobo
			case (m.Kind == "DUE" || m.Kind == "COVER") && m.Own:
				dues += m.AmountKobo
			}
		}
		require.Positive(r, payouts, "%d collected once", n)
		require.Positive(r, dues)
		for _, other := range r.people {
			if other.id != p.id {
				require.NotContains(r, raw, other.id)
				require.NotContains(r, raw, other.email)
			}
		}
	}
}

// debtsAreExported holds that every debt is in the export of who owed it and, turned round, of whom it was owed to, and
// in nobody else's.
func (r *round) debtsAreExported(owed int) {
	r.Helper()
	type debt struct {
		id                           string
		amount, paid, forgiven, left int64
	}
	sides := map[bool]map[debt]int{true: {}, false: {}} // By whether they owe it: whose it is.
	for n, p := range r.people {
		exported, _ := p.exports(r.i)
		for _, d := range exported.Ajo.Debts {
			is := debt{d.ID, d.AmountKobo + d.PenaltyKobo, d.PaidKobo, d.ForgivenKobo, d.LeftKobo}
			require.NotContains(r, sides[d.Owes], is, "%s has two on one side", d.ID)
			sides[d.Owes][is] = n
			require.Zero(r, d.LeftKobo, "it is over")
		}
	}
	require.Contains(r, slices.Collect(maps.Values(sides[true])), owed)
	require.ElementsMatch(r, slices.Collect(maps.Keys(sides[true])), slices.Collect(maps.Keys(sides[false])))
	for is, debtor := range sides[true] {
		require.NotEqual(r, debtor, sides[false][is])
	}
}

func TestTheExportHoldsTheCardsOfASaverAndWhatACollectorFilled(t *testing.T) {
	t.Parallel()
	i := product(t)
	saver, stranger := somebody(t, i, "Saver"), somebody(t, i, "Stranger")
	saver.funded(5000).banked(i, "Saver")
	opened := must[object](saver, "POST", "/api/v1/ajo/cards", object{"name": "Rent", "amount": 200, "frequency": "DAILY", "boxes": 31})
	id := opened["id"].(string)
	must[object](saver, "POST", "/api/v1/ajo/cards/"+id+"/fill", object{"boxes": 2, "userId": saver.id})
	var exported profile.Export
	require.Eventually(t, func() bool { // The read model follows what was done.
		exported, _ = saver.exports(i)
		return len(exported.Ajo.Fills) == 1
	}, time.Minute, 20*time.Millisecond)
	require.Len(t, exported.Ajo.Cards, 1)
	card := exported.Ajo.Cards[0]
	require.Equal(t, []any{id, "Rent", "OPEN", int64(20_000), 31, 2, "DAILY"}, []any{card.ID, card.Name, card.Status, card.AmountKobo, card.Boxes, card.Filled, card.Frequency})
	fill := exported.Ajo.Fills[0]
	require.Equal(t, []any{id, 1, 2, int64(40_000), true, true}, []any{fill.CardID, fill.FirstBox, fill.Boxes, fill.AmountKobo, fill.Own, fill.Paid})
	none, raw := stranger.exports(i)
	require.Empty(t, none.Ajo.Cards)
	require.NotContains(t, raw, id)
	require.Contains(t, raw, `"ajo":{"places":[],"movements":[],"debts":[],"cards":[],"fills":[]}`)
}
