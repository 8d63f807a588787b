package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// saidOfCollectors are what a person was told of cards' collectors, the newest first.
func (p *person) saidOfCollectors() (said []string) {
	p.Helper()
	for _, n := range must[object](p, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
		if n.(object)["type"] == "ajo_card_collector" {
			said = append(said, n.(object)["data"].(object)["body"].(string))
		}
	}
	return said
}

func TestACollectorWhoLosesACardIsToldAndSoIsItsSaver(t *testing.T) {
	t.Parallel()
	i := product(t)
	saver, first, second := somebody(t, i, "Bisi"), somebody(t, i, "Kola"), somebody(t, i, "Musa")
	saver.banked(i, "Bisi")
	first.banked(i, "Kola")
	second.banked(i, "Musa")
	card := must[object](saver, "POST", "/api/v1/ajo/cards", object{"name": "Rent", "amount": 200, "frequency": "DAILY", "boxes": 31})
	at := "/api/v1/ajo/cards/" + card["id"].(string) + "/collector"
	hears := func(p *person, times int, body string) {
		t.Helper()
		require.Eventually(t, func() bool { return len(p.saidOfCollectors()) == times }, time.Minute, 20*time.Millisecond)
		require.Contains(t, p.saidOfCollectors()[0], body)
	}
	card = must[object](saver, "POST", at, object{"email": first.email, "commission": true, "seen": card["collectorVersion"]})
	hears(first, 1, "made you the collector of their card.")
	hears(saver, 1, "is the collector of your card now. Besides you, only they can fill it.")

	card = must[object](saver, "POST", at, object{"email": second.email, "commission": true, "seen": card["collectorVersion"]})
	hears(first, 2, "Another member is the collector of ")
	hears(second, 1, "made you the collector of their card.")
	hears(saver, 2, "is the collector of your card now.")

	must[object](saver, "POST", at, object{"seen": card["collectorVersion"]})
	hears(second, 2, "You are not the collector of ")
	hears(saver, 3, "no longer collects for your card. Only you can fill it now.")
	require.Len(t, first.saidOfCollectors(), 2, "it is no longer theirs to hear of")
	for p, letters := range map[*person][]string{
		saver: {"Your card has a collector", "Your card has no collector"}, first: {"You no longer collect for a card"}, second: {"You no longer collect for a card"},
	} {
		for _, title := range letters {
			require.Eventually(t, func() bool { return strings.Contains(p.inbox(), title) }, time.Minute, 20*time.Millisecond, title)
		}
	}
}
