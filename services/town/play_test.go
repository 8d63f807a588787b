package town

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
)

// actsADay is how many acts a day has, on average.
const actsADay = 48

// daysUntilAway is how many days the product runs, on average, until nothing of it runs for more than a week.
const daysUntilAway = 40

// actsUntilCut is how many acts the process lives, on average, where it is cut off.
const actsUntilCut = 150

// Failure is what must hold and does not.
type Failure struct {
	Question string // Which of the questions found it.
	Says     string
}

func (f *Failure) Error() string { return f.Question + ": " + f.Says }

// Play plays the year. Its error is a *Failure where something that must hold does not.
func (t *Town) Play(ctx context.Context) error {
	if err := t.founds(ctx); err != nil {
		return err
	}
	end := begins.AddDate(0, 0, t.Days)
	for number := 1; t.Now().Before(end) && (t.Acts == 0 || number <= t.Acts); number++ {
		if !t.Until.IsZero() && number%50 == 0 && clock.System().After(t.Until) {
			break
		}
		t.played = number
		rng := t.dice(number)
		before := t.Now()
		t.passes(rng)
		if !t.Without[number] {
			act := func() error { return t.act(ctx, number, rng) }
			if t.Cuts && rng.IntN(actsUntilCut) == 0 {
				act = func() error { return t.cut(ctx, number, rng, func() error { return t.act(ctx, number, rng) }) }
			}
			if err := act(); err != nil {
				return err
			}
		}
		if before.In(lagos.Zone).YearDay() != t.Now().In(lagos.Zone).YearDay() {
			if err := t.daily(ctx, t.dice(-number)); err != nil {
				return err
			}
		}
	}
	return t.ends(ctx)
}

// passes has time go on: for some minutes, or to just before, at or after a moment that an event named or a midnight.
func (t *Town) passes(rng *rand.Rand) {
	now := t.Now()
	if rng.IntN(daysUntilAway*actsADay) == 0 {
		t.moves(now.Add(8 * 24 * time.Hour))
		return
	}
	if rng.IntN(actsADay) == 0 {
		next := t.memory.next(now)
		local := now.In(lagos.Zone)
		midnight := time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, lagos.Zone)
		if next.IsZero() || midnight.Before(next) {
			next = midnight
		}
		if next.Sub(now) < 3*24*time.Hour {
			t.moves(next.Add(time.Duration(rng.IntN(3)-1) * time.Second))
			return
		}
	}
	t.moves(now.Add(time.Duration(rng.Int64N(int64(2 * 24 * time.Hour / actsADay)))))
}

// act does one thing.
func (t *Town) act(ctx context.Context, number int, rng *rand.Rand) error {
	if !t.Plain && rng.IntN(thefts) == 0 {
		return t.steals(ctx, number, rng)
	}
	switch dice := rng.IntN(20); {
	case dice < 4:
		return t.banks(ctx, number, rng)
	case dice < 6:
		return t.works(ctx, number, rng)
	case dice == 6:
		return t.reads(ctx)
	case dice < 14:
		return t.looks(ctx, number, rng)
	default:
		return t.wishes(ctx, number, rng)
	}
}

// weights are how much likelier some commands are than others.
var weights = map[string]int{
	"fundWallet": 16, "makePaymentWithWallet": 20, "subAccountPayment": 5, "payAjo": 10, "requestLiquidation": 6, "validateLiquidation": 10, "withdraw": 12, "createSubAccount": 3,
	"createGroupSavings": 2, "joinGroupSavings": 3, "approveGroupMember": 6, "createAjo": 3, "joinAjo": 8, "closeAjoList": 4, "acceptAjoOrder": 6, "requestAjoPayout": 8,
	"approveAjoPayout": 10, "bvnLookUp": 3, "updateUserInfo": 3, "openDispute": 3, "takeCase": 3, "resolveCase": 3, "coverMember": 2, "fillAjoCard": 3, "openAjoCard": 2,
	"markPayments": 3, "grantAjoAccess": 2, "askAjoAccess": 3, "resumeGroup": 3, "verifyTransaction": 3, "proposeUnmatched": 3, "proposeSendBack": 3, "decideUnmatched": 3, "approveCorrection": 2,
}

// rare are the commands that end what others live by.
var rare = []string{
	"closeAccount", "cancelGroup", "closeGroup", "suspendGroup", "rejectGroup", "cancelAjo", "leaveGroup", "deactivateGroupMember", "rejectGroupMember", "freezeMoney",
	"moveInAjo", "logout", "endOtherSessions", "leaveAjo",
}

// weight is how likely a command is.
func weight(o operation) int {
	if slices.Contains(rare, o.Name) {
		return 1
	}
	return 8 * max(1, weights[o.Name])
}

// choose picks a command.
func (t *Town) choose(rng *rand.Rand) operation {
	total := 0
	for _, o := range t.commands {
		total += weight(o)
	}
	at := rng.IntN(total)
	for _, o := range t.commands {
		if at -= weight(o); at < 0 {
			return o
		}
	}
	return t.commands[0]
}

// wishes has somebody give a command.
func (t *Town) wishes(ctx context.Context, number int, rng *rand.Rand) error {
	odd, tries := rng.IntN(5) == 0, 6
	o := t.choose(rng)
	for !odd && tries > 0 && !t.knows(o) {
		o, tries = t.choose(rng), tries-1
	}
	return t.give(ctx, number, &wish{operation: o, town: t, rng: rng, odd: odd, ids: map[string]string{}})
}

// knows reports whether there is anything yet that a command could be about.
func (t *Town) knows(o operation) bool {
	kind := o.about()
	return kind == "" || len(t.memory.known[kind]) > 0 || !strings.Contains(o.Path, "{")
}

// give gives a command. An answer of 500 or above is a failure.
func (t *Town) give(ctx context.Context, number int, w *wish) error {
	if w.who == nil {
		if err := w.begin(ctx); err != nil {
			return err
		}
	}
	if !w.offered {
		w.fill()
	}
	if help := hints[w.Name]; help != nil && !w.offered {
		if makesSense, err := help(ctx, w); err != nil || !makesSense {
			return err
		}
	}
	if t.Plain && gives(w) {
		return nil
	}
	var body any
	switch {
	case w.Form:
		body = w.form
	case w.Body != nil:
		body = w.body
	}
	stands, err := t.standingOf(ctx, w.who)
	if err != nil {
		return err
	}
	key, from := uuid.NewString(), t.memory.at
	times := 1
	if w.rng.IntN(12) == 0 {
		times = 2 // The answer was lost: it is asked again under its key.
	}
	for range times {
		var r reply
		var err error
		if w.Who == "public" {
			r, err = t.call(ctx, w.who, w.Method, w.path, body, "Idempotency-Key", key)
		} else {
			r, err = t.does(ctx, w.who, w.Method, w.path, body, "Idempotency-Key", key)
		}
		if err != nil {
			return err
		}
		t.tells(number, w.String(), r)
		t.counts(w.Name, r.status)
		if w.Who != "public" {
			if err := w.cell(stands, r); err != nil {
				return err
			}
		}
		if r.status == http.StatusOK && w.then != nil {
			w.then()
			w.then = nil
		}
		if r.status >= http.StatusInternalServerError && r.ReturnedCode != "UNAVAILABLE" {
			return &Failure{"bad input gets a clear error", fmt.Sprintf("%s was answered %d: %s", w, r.status, r.Message)}
		}
	}
	if err := t.learns(ctx); err != nil {
		return err
	}
	t.gave(w.who, w.operation, from)
	return nil
}

// works runs one of the jobs.
func (t *Town) works(ctx context.Context, number int, rng *rand.Rand) error {
	job := one(rng, t.jobs...)
	return t.run(ctx, number, job.Name)
}

// run runs a job by its name.
func (t *Town) run(ctx context.Context, number int, name string) error {
	for _, job := range t.jobs {
		if job.Name != name {
			continue
		}
		r := reply{status: http.StatusOK}
		err := job.Run(ctx)
		if err != nil {
			r.status, r.Message = http.StatusServiceUnavailable, err.Error()
		}
		t.tells(number, "job: "+name, r)
		t.counts("job: "+name, r.status)
		if err != nil && !fault.Is(err, fault.Unavailable) { // A bank may be away.
			return &Failure{"jobs do their work", name + ": " + err.Error()}
		}
	}
	return t.learns(ctx)
}

// reads brings the read models up to date. In between they are as old as chance has it.
func (t *Town) reads(ctx context.Context) error {
	return t.instance.Engine.CatchUp(ctx)
}
