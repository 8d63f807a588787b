package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/services/internal/people"
)

func TestOfFiftyWhoTakeACaseAtOnceOneHasIt(t *testing.T) {
	t.Parallel()
	i := own(t)
	c := found(t, i)
	opened := must[object](c.member, "POST", "/api/v1/disputes", object{"kind": "NOT_CREDITED", "words": "I sent ₦5,000 at noon and it is not here.", "amount": 5000, "paidOn": lagos.Day(time.Now())})
	kase := "/api/v1/support/cases/" + opened["id"].(string)
	desk := make([]*person, 50)
	for n := range desk {
		desk[n] = staff(t, i, fmt.Sprintf("Sade%c%c", 'a'+n/10, 'a'+n%10), people.RoleSupport)
	}
	statuses := make([]int, len(desk))
	var all sync.WaitGroup
	for n, p := range desk {
		all.Go(func() { statuses[n] = p.ask("POST", kase+"/take", object{}).status })
	}
	all.Wait()
	became := map[int]int{}
	for _, status := range statuses {
		became[status]++
	}
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: 49}, became)

	// Another takes it over once they have seen who has it.
	other := desk[0]
	if statuses[0] == http.StatusOK {
		other = desk[1]
	}
	version := int(must[object](other, "GET", kase, nil)["version"].(float64))
	require.Equal(t, http.StatusConflict, other.ask("POST", fmt.Sprintf("%s/take?version=%d", kase, version-1), object{}).status)
	require.Equal(t, http.StatusOK, other.ask("POST", fmt.Sprintf("%s/take?version=%d", kase, version), object{}).status)
}
