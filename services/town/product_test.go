package town

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/pgchild"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/jobs"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/rails/sandbox"
)

// Options say which year is played.
type Options struct {
	Seed      uint64
	Random    func() // Has all that is random from now on follow from the seed. Nil leaves it to chance.
	Days      int
	People    int
	Contract  string            // The file of the HTTP contract.
	Without   map[int]bool      // The acts that are left out, by number: a failing year becomes a story so.
	Only      string            // The only question that is asked; all when empty.
	Acts      int               // How many acts are played at most; 0 for as many as the days take.
	Trace     func(line string) // Is told each line of the digest; nil for nobody.
	Item      string            // The one item of an open issue that is not spared; see spares_test.go.
	All       bool              // Also what open issues say goes wrong: see spares_test.go.
	WindUp    bool              // At the end everybody leaves.
	Cuts      bool              // The process is cut off now and then.
	Plain     bool              // Nobody gives or fines anything, and no card's bank takes money back: nobody may gain.
	Penalties bool              // Groups may fine who is late.
	Until     time.Time         // When to stop by the machine's clock; zero for never.
}

// Town is a product that is being played with.
type Town struct {
	Options
	instance *boot.Instance
	config   config.Config
	postgres *pgchild.Server
	cuts     *cuts
	now      atomic.Int64 // The clock, in nanoseconds.
	client   *http.Client
	calls    int
	commands []operation
	memory   *memory
	over     map[string]bool       // Requests for money that are over. In a wind-up nobody looks at them again.
	renamed  map[*person]time.Time // Whose bank account got another name, and when last.
	people   []*person
	byID     map[string]*person
	stranger sandbox.Person // Who sends money and has no account of ours.
	jobs     []jobs.Periodic
	watch    clock.Watch
	played   int // The number of the last act.
	did      []did
	wrong    []string // What was decided otherwise than the table of standings says.

	Story   []Line
	Results map[string]map[int]int // By command: how often each status was answered.
	Cells   map[Cell]int           // How often each cell of the table of standings was tried.
}

// Line is one act of the story.
type Line struct {
	Number int
	At     time.Time
	Text   string
	Status int
	Said   string
	Took   time.Duration // By the machine's clock, since the line before.
}

func (l Line) String() string {
	return fmt.Sprintf("%5d  %s  %s -> %d %s (%s)", l.Number, l.At.Format("2006-01-02 15:04:05"), l.Text, l.Status, l.Said, l.Took.Round(time.Millisecond))
}

// begins is when each year begins: a Monday in Lagos.
var begins = time.Date(2027, time.January, 4, 7, 0, 0, 0, time.UTC)

// Open starts a product of its own for a town, in a folder that it makes.
func Open(ctx context.Context, o Options) (t *Town, err error) {
	t = &Town{Options: o, memory: newMemory(), over: map[string]bool{}, renamed: map[*person]time.Time{}, byID: map[string]*person{}, Results: map[string]map[int]int{}, Cells: map[Cell]int{}}
	t.now.Store(begins.UnixNano())
	if t.commands, err = readContract(o.Contract); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "adashi-town-")
	if err != nil {
		return nil, fmt.Errorf("the town has no folder: %w", err)
	}
	t.client = &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.cuts = &cuts{left: -1}
	if t.postgres, err = pgchild.Start(ctx, pgchild.Options{Dir: filepath.Join(folder, "postgres")}); err != nil {
		_ = os.RemoveAll(folder)
		return nil, fmt.Errorf("the town's database does not start: %w", err)
	}
	t.config = config.Config{
		Host: "127.0.0.1", PortGiven: true, Data: folder, Rail: config.RailSandbox, NATSReplicas: 1, Clock: t.Now, ByHand: true, FastHashing: true,
		DatabaseURL: config.Secret(t.postgres.URL("postgres")), DialDatabase: t.cuts.dial,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}
	if err = t.start(ctx); err == nil {
		if o.Random != nil {
			o.Random()
		}
		err = t.moveIn(ctx, o.People)
	}
	if err != nil {
		t.Close()
		return nil, fmt.Errorf("nobody can move into the town: %w", err)
	}
	return t, nil
}

// Close ends the product and removes its folder.
func (t *Town) Close() {
	t.client.CloseIdleConnections()
	if t.instance != nil {
		t.instance.Stop()
	}
	t.postgres.Stop()
	_ = os.RemoveAll(t.config.Data)
}

// Now is the town's time.
func (t *Town) Now() time.Time { return time.Unix(0, t.now.Load()).UTC().Truncate(time.Microsecond) }

// moves has time go on to a moment; it never goes back.
func (t *Town) moves(to time.Time) {
	if to.After(t.Now()) {
		t.now.Store(to.UnixNano())
	}
}

func (t *Town) members() []*person { return t.staff("") }

// staff are the people with a role; with none, the members.
func (t *Town) staff(role string) (all []*person) {
	for _, p := range t.people {
		if p.role == role {
			all = append(all, p)
		}
	}
	return all
}

func (t *Town) load(ctx context.Context, stream string) (any, error) {
	return t.instance.App.Ledger.Load(ctx, stream)
}

// learns reads what was recorded since.
func (t *Town) learns(ctx context.Context) error {
	for {
		records, err := history.Read(ctx, t.instance.Pool, t.memory.at, 1000)
		if err != nil || len(records) == 0 {
			return err
		}
		if err := errors.Join(t.memory.learn(records), t.givesBack(records)); err != nil {
			return err
		}
	}
}

// each reads all that was recorded, in its order.
func (t *Town) each(ctx context.Context, take func(event.Record) error) error {
	for at := int64(0); ; {
		records, err := history.Read(ctx, t.instance.Pool, at, 1000)
		if err != nil || len(records) == 0 {
			return err
		}
		for _, r := range records {
			at = r.Pos
			if err := take(r); err != nil {
				return err
			}
		}
	}
}

// code is what follows a link in the newest letter to somebody; empty where there is none.
func (t *Town) code(ctx context.Context, to, link string) (string, error) {
	letters, err := mail.Newest(ctx, t.instance.Pool, to)
	if err != nil {
		return "", err
	}
	for _, l := range letters {
		if _, after, found := strings.Cut(l.Text, link); found {
			code, _, _ := strings.Cut(after, "\n")
			return strings.TrimSpace(code), nil
		}
	}
	return "", nil
}

// dice are an act's own, so that a year without it goes on with the same acts.
func (t *Town) dice(number int) *rand.Rand { return rand.New(rand.NewPCG(t.Seed, uint64(number))) }

// tells keeps a line of the story.
func (t *Town) tells(number int, text string, r reply) {
	t.Story = append(t.Story, Line{number, t.Now(), text, r.status, r.Message, t.watch.Took()})
	t.watch = clock.Start()
}

// counts what a command was answered.
func (t *Town) counts(name string, status int) {
	if t.Results[name] == nil {
		t.Results[name] = map[int]int{}
	}
	t.Results[name][status]++
}

// Done is how many of the story's lines people and the bank did. The others are runs of jobs.
func (t *Town) Done() (acts, runs int) {
	for _, line := range t.Story {
		if strings.HasPrefix(line.Text, "job: ") {
			runs++
		} else {
			acts++
		}
	}
	return acts, runs
}

// WentThrough is how many of the commands went through at least once.
func (t *Town) WentThrough() (some, all int) {
	for _, o := range t.commands {
		if t.Results[o.Name][http.StatusOK] > 0 {
			some++
		}
	}
	return some, len(t.commands)
}

// Refused are the commands that never went through, each with what they were answered and how often, the most frequent
// answer first.
func (t *Town) Refused() (all []string) {
	for _, o := range t.commands {
		if t.Results[o.Name][http.StatusOK] > 0 {
			continue
		}
		times := map[string]int{}
		for _, line := range t.Story {
			if _, what, is := strings.Cut(line.Text, ": "); is && strings.HasPrefix(what, o.Name+" ") {
				times[line.Said]++
			}
		}
		answers := slices.SortedFunc(maps.Keys(times), func(a, b string) int { return cmp.Or(times[b]-times[a], strings.Compare(a, b)) })
		line := o.Name + ":"
		for _, answer := range answers {
			line += fmt.Sprintf(" %d × %q", times[answer], answer)
		}
		all = append(all, line)
	}
	return all
}

// Played is the number of the last act.
func (t *Town) Played() int { return t.played }
