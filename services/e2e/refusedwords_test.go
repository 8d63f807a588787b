package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/people"
)

// papersMax is how many papers are kept of one person.
const papersMax = 1000

// manyTimes does something so many times, eight at once, and answers how often it came to each status.
func manyTimes(times int, do func(n int) reply) map[int]int {
	var (
		all   sync.WaitGroup
		turns = make(chan struct{}, 8)
		mu    sync.Mutex
		came  = map[int]int{}
	)
	for n := range times {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			r := do(n)
			mu.Lock()
			defer mu.Unlock()
			came[r.status]++
		})
	}
	all.Wait()
	return came
}

func TestRefusedMessagesOfAnAuditorTakeNoRightAwayFromTheMember(t *testing.T) {
	c := newChest(t, product(t))
	var id string
	require.Eventually(t, func() bool {
		for _, p := range c.audits(c.validator, "?state=UNREVIEWED")["payments"].([]any) {
			if p.(object)["userId"] == c.eve.id {
				id = p.(object)["id"].(string)
			}
		}
		return id != ""
	}, time.Minute, 20*time.Millisecond)
	require.Equal(t, http.StatusOK, c.marks(c.validator, "QUERIED", "For which month?", id).status)
	came := manyTimes(papersMax+5, func(n int) reply {
		r, err := c.validator.try("POST", "/api/v1/questions/"+id, object{"words": fmt.Sprintf("And which one is number %d?", n)})
		require.NoError(t, err)
		return r
	})
	require.LessOrEqual(t, came[http.StatusOK], 10, "one side writes ten in a row at most, its query among them: %v", came)
	answer := writes(c.eve, id, "It is for March.")
	require.Equal(t, http.StatusOK, answer.status, answer.Message)
	opened := c.eve.ask("POST", disputesPath, claims(300, nil))
	require.Equal(t, http.StatusOK, opened.status, opened.Message)
	kept := 0
	require.NoError(t, c.i.Pool.QueryRow(t.Context(), `SELECT count(*) FROM vault.papers WHERE person = $1`, c.eve.id).Scan(&kept))
	require.Equal(t, came[http.StatusOK]+2, kept, "what was recorded, and nothing else")
}

func TestRefusedAnswersOfAMemberLeaveTheirCaseDecidable(t *testing.T) {
	c := newChest(t, product(t))
	id := c.owner.ask("POST", asksFor, c.baked(c.owner, 50_000)).id(t)
	c.approved(id)
	dispute := c.disputes(c.member, id, 15_000).object(t)["id"].(string)
	came := manyTimes(papersMax+5, func(n int) reply {
		r, err := c.member.try("POST", disputesPath+"/"+dispute+"/answer", object{"words": fmt.Sprintf("This is what nobody asked for, number %d.", n)})
		require.NoError(t, err)
		return r
	})
	require.Zero(t, came[http.StatusOK], "%v", came)
	sade, kase := staff(t, c.i, "Sade", people.RoleSupport), casesPath+"/"+dispute
	must[object](sade, "POST", kase+"/take", nil)
	over := sade.ask("POST", kase+"/resolve", object{"upheld": false, "words": "The group agreed on the whole of it, as the minutes say."})
	require.Equal(t, http.StatusOK, over.status, over.Message)
}
