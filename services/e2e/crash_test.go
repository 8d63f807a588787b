package e2e

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
)

// wish is a payment that a client wants, under the key it keeps until it is answered.
type wish struct {
	who    *person
	key    string
	kobo   int
	answer reply
}

// storm is everything that the clients asked for over all crashes.
type storm struct {
	mu         sync.Mutex
	sub        string
	answered   []wish
	unanswered []wish
}

func (s *storm) send(w wish) error {
	r, err := w.who.try("POST", pay, object{"amount": float64(w.kobo) / 100, "subAccountId": s.sub, "userId": w.who.id}, "Idempotency-Key", w.key)
	if err == nil && r.status != 200 {
		err = fmt.Errorf("%d %s", r.status, r.Message)
	}
	w.answer = r
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.unanswered = append(s.unanswered, w)
		return err
	}
	s.answered = append(s.answered, w)
	return nil
}

// blow has twenty clients pay until the process is gone; it is killed once they were answered so often.
func (s *storm) blow(t *testing.T, people []*person, round, enough int, kill func()) {
	t.Helper()
	var (
		wg    sync.WaitGroup
		count atomic.Int64
		once  sync.Once
	)
	for n := range 20 {
		wg.Go(func() {
			for i := 0; ; i++ {
				w := wish{who: people[n%len(people)], key: fmt.Sprintf("round %d client %d wish %d", round, n, i), kobo: 1 + (n*31+i*7)%300}
				if s.send(w) != nil {
					return // The process is gone; the key is kept.
				}
				if count.Add(1) >= int64(enough) {
					once.Do(kill)
				}
			}
		})
	}
	wg.Wait()
}

// askAgain sends every unanswered key again.
func (s *storm) askAgain(t *testing.T) {
	t.Helper()
	again := s.unanswered
	s.unanswered = nil
	for _, w := range again {
		require.NoError(t, s.send(w), w.key)
	}
}

func TestKilledUnderLoadNothingAcknowledgedIsLostAndNothingIsPaidTwice(t *testing.T) {
	t.Parallel()
	data, door := filepath.Join(t.TempDir(), "data"), port(t)
	up := func() *process {
		return spawn(t, "up", "ADASHI_DATA="+data, "ADASHI_PORT="+door, "ADASHI_TIER_LIMITS="+noCaps).ready(t, door)
	}
	p := up()
	folk, sub := villagers(t, p.base)
	s := &storm{sub: sub}
	for round := range 3 {
		pg := postgresOf(t, data)
		s.blow(t, folk, round, 150+round*60, func() { _ = p.Process.Kill() })
		require.Equal(t, -1, p.exit(t), "killed, not ended")
		require.Eventually(t, func() bool { return !alive(pg) }, time.Minute, 10*time.Millisecond, "its Postgres lives on")
		require.NotEmpty(t, s.unanswered, "nobody was cut off: nothing is shown")
		client.Transport.(*http.Transport).CloseIdleConnections()
		p = up()
		s.askAgain(t)
	}
	t.Logf("%d payments answered", len(s.answered))
	p.terminate(t)
	i, err := boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	s.onceEach(t, i)
	soundLedger(t, i.Pool)
	streamEqualsStore(t, i)
	modelsEqualFreshFold(t, i)
}

// noCaps are tiers that let anybody hold anything.
const noCaps = "0/0,50000/0,200000/0,5000000/0"

// villagers are an owner, a validator and six members with money, and their flexible sub-account.
func villagers(t *testing.T, base string) (folk []*person, sub string) {
	t.Helper()
	c := club{owner: signedUp(t, base, "Ada"), validator: signedUp(t, base, "Chidi"), approver: signedUp(t, base, "Femi"), member: signedUp(t, base, "Bisi")}
	c.owner.known()
	c.group = c.owner.founds("Balogun Traders")
	c.admitsAll(c.validator, c.approver, c.member)
	c.appoints()
	folk = []*person{c.member, c.validator, c.owner}
	for _, name := range []string{"Dayo", "Efe"} {
		p := signedUp(t, base, name)
		c.admitsAll(p)
		folk = append(folk, p)
	}
	for _, p := range folk {
		p.funded(1_000_000)
	}
	return folk, c.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
}

// onceEach holds that every payment that was answered is in the ledger once, as its receipt says, and no other is.
func (s *storm) onceEach(t *testing.T, i *boot.Instance) {
	t.Helper()
	require.Empty(t, s.unanswered)
	records, err := history.Read(context.Background(), i.Pool, 0, 1_000_000)
	require.NoError(t, err)
	at, contributions := map[uuid.UUID][]int{}, 0
	for n, r := range records {
		at[r.Command] = append(at[r.Command], n)
		if r.Type == "naira.v1.ContributionReceived" {
			contributions++
		}
	}
	for _, w := range s.answered {
		found := at[store.CommandID(w.who.id, "contribute", w.key)]
		require.Len(t, found, 1, w.key)
		r := records[found[0]]
		require.Equal(t, int64(w.kobo), int64(r.Lines[1].Amount), w.key)
		require.Equal(t, fmt.Sprint(r.Pos), w.answer.header.Get("X-Position"))
		require.Contains(t, string(w.answer.ReturnedObject), r.ID().String())
	}
	require.Equal(t, len(s.answered), contributions, "something was paid that nobody was told of")
}
