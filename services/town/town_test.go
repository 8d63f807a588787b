package town_test

import (
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/town"
)

const contract = "../../proto/http/openapi.yaml"

// What scripts/town asks for.
var (
	seed    = flag.Uint64("seed", 0, "the year that is played; that of today when 0")
	days    = flag.Int("days", 365, "how many days it has")
	people  = flag.Int("people", 24, "how many people live in the town")
	length  = flag.Duration("for", 30*time.Second, "after how long a year ends early")
	hours   = flag.Float64("hours", 0, "for how many hours one year after the other is played")
	shorten = flag.Duration("shorten", 0, "for how long a failing year is made shorter")
	item    = flag.String("item", "", "do also what this item of an open issue says goes wrong")
	all     = flag.Bool("all", false, "do also what open issues say goes wrong")
	cuts    = flag.Bool("cuts", false, "cut the process off now and then")
	plain   = flag.Bool("plain", false, "nobody gives or fines anything, so that nobody may gain")
	windUp  = flag.Bool("wind-up", false, "have everybody leave at the end")
	story   = flag.Bool("story", false, "print all acts")
	refused = flag.Bool("refused", false, "print the commands that never went through, with their answers, and the cells of standings that were not tried")
	trace   = flag.String("trace", "", "the file that all events are written into, as the digest has them")
)

func TestMain(m *testing.M) {
	flag.Parse()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// year is a year as it was played.
type year struct {
	*town.Town
	digest string
	took   time.Duration
	err    error // What did not hold.
}

func play(t *testing.T, o town.Options) year {
	t.Helper()
	o.Random, o.Contract, o.Penalties = func() { cryptotest.SetGlobalRandom(t, o.Seed) }, contract, !o.Plain
	if o.People == 0 {
		o.People = *people
	}
	w, err := town.Open(t.Context(), o)
	require.NoError(t, err)
	defer w.Close()
	began := time.Now()
	y := year{Town: w, err: w.Play(t.Context())}
	y.took = time.Since(began)
	if *trace != "" {
		file, err := os.Create(*trace)
		require.NoError(t, err)
		defer func() { require.NoError(t, file.Close()) }()
		w.Trace = func(line string) { fmt.Fprintln(file, line) }
	}
	y.digest, err = w.Digest(t.Context())
	require.NoError(t, err)
	return y
}

func TestTheTownKnowsHowToGiveEveryCommand(t *testing.T) {
	strange, err := town.Strange(contract)
	require.NoError(t, err)
	require.Empty(t, strange, "say in services/town what these are")
}

func TestTheSameSeedIsTheSameYear(t *testing.T) {
	first := play(t, town.Options{Seed: 7, Days: 2})
	again := play(t, town.Options{Seed: 7, Days: 2})
	require.NoError(t, first.err)
	require.Equal(t, first.digest, again.digest)
	other := play(t, town.Options{Seed: 8, Days: 1})
	require.NotEqual(t, first.digest, other.digest)
}

// In a scene each cell of the table of standings is tried, but for those that are named here.
func TestEachCellOfTheTableOfStandingsIsTried(t *testing.T) {
	cryptotest.SetGlobalRandom(t, 1)
	w, err := town.Open(t.Context(), town.Options{Seed: 1, People: 19, Contract: contract, Penalties: true})
	require.NoError(t, err)
	defer w.Close()
	err = w.TriesCells(t.Context())
	if *story {
		tells(year{Town: w})
	}
	if *refused {
		fmt.Println(strings.Join(w.Tried(), "\n"))
	}
	require.NoError(t, err)
	require.ElementsMatch(t, slices.Concat(slices.Collect(maps.Values(untried))...), w.Untried())
}

// untried are the cells that the scene does not try, by the reason.
var untried = map[string][]string{
	"who closed their account has no session, and these record nothing that the ledger decides": {
		"closed read", "closed mind", "closed operate", "closed nameBank", "closed moveEmail",
	},
	"only gateways tell of money, and they have no account": {"open report", "frozen report", "closed report"},
	"a contribution is decided again, and not the order that it came by: standingorder/order_test.go": {
		"open payByOrder", "frozen payByOrder", "closed payByOrder", "stranger payByOrder", "invited payByOrder", "waiting payByOrder",
	},
	"who is not 18 yet has no verified BVN, which is asked for first: ajo/lists_test.go, e2e/payoutbooks_test.go": {"minor commit", "minor withdraw", "minor withdrawSavings"},
	"nobody of the desk asks for access, or is paid to a member's account: ajoaccess_test.go, remedy_test.go": {
		"own reviewAccess", "tied reviewAccess", "tied remedy",
	},
	"they are told first that they may not resolve the case": {"own correct", "party correct"},
	"nothing is refused, since others decide in their place: liquidation/deciders_test.go": {
		"open beCounted", "frozen beCounted", "closed beCounted", "tied beCounted",
	},
}

// todays is the seed of a year that nobody has played before today.
func todays() uint64 { return uint64(time.Now().Unix() / 86400) }

// In a year without gifts and fines everybody can leave, what is left is Adashi's own, and nobody has gained.
func TestAPlainYearIsWoundUpAndNobodyGains(t *testing.T) {
	y := play(t, town.Options{Seed: todays(), Days: 5, Plain: true, WindUp: true})
	require.NoError(t, y.err, "./scripts/town --seed %d --days 5 --plain --wind-up --no-cuts", y.Seed)
}

// kept are years that show what an open issue says. They fail until it is mended; then the line goes.
var kept = []struct {
	item     string
	question string
	seed     uint64
	days     int
}{}

func TestKeptYearsShowWhatIsStillToBeMended(t *testing.T) {
	for _, k := range kept {
		y := play(t, town.Options{Seed: k.seed, Days: k.days, Item: k.item, Only: k.question})
		var questions []string
		for _, f := range town.Failures(y.err) {
			questions = append(questions, f.Question)
		}
		require.Contains(t, questions, k.question, "%s seems to be mended: remove it from kept and from spares. %v", k.item, y.err)
	}
}

// TestAYear plays a year that nobody has played before. scripts/town calls it with what it is asked for.
func TestAYear(t *testing.T) {
	o := town.Options{Seed: *seed, Days: *days, Item: *item, All: *all, WindUp: *windUp, Plain: *plain, Cuts: *cuts}
	if o.Seed == 0 {
		o.Seed = todays()
	}
	until := time.Now().Add(time.Duration(*hours * float64(time.Hour)))
	for {
		if *length > 0 {
			o.Until = time.Now().Add(*length)
		}
		y := play(t, o)
		acts, runs := y.Done()
		through, commands := y.WentThrough()
		fmt.Printf("Year %d: %d acts and %d runs of jobs in %s, %.0f acts a second. %d of %d commands went through, %d cells of standings tried. Digest %.16s\n",
			o.Seed, acts, runs, y.took.Round(time.Millisecond), float64(acts)/y.took.Seconds(), through, commands, len(y.Cells), y.digest)
		if *refused {
			fmt.Println(strings.Join(y.Refused(), "\n"))
			fmt.Println("Standings, with their cells, and how many of them were tried how often:\n" + strings.Join(y.Tried(), "\n"))
			fmt.Println("Not tried:", strings.Join(y.Untried(), ", "))
		}
		if y.err != nil {
			fails(t, o, y)
		} else if *story {
			tells(y)
		}
		if o.Seed++; time.Now().After(until) {
			return
		}
	}
}

// fails prints a failing year, made shorter if that was asked for.
func fails(t *testing.T, o town.Options, y year) {
	t.Helper()
	failures := town.Failures(y.err)
	if len(failures) > 0 && *shorten > 0 {
		o.Until, o.Acts = time.Time{}, y.Played()
		until := time.Now().Add(*shorten)
		o.Only = failures[0].Question
		without, plays := town.Shorten(y.Town, func(without map[int]bool) bool {
			o.Without = without
			return len(town.Failures(play(t, o).err)) > 0
		}, func() bool { return time.Now().After(until) })
		o.Without = without
		y = play(t, o)
		fmt.Printf("Made shorter by %d more years: %d acts are left.\n", plays, o.Acts-len(without))
		tells(y)
	} else if *story {
		tells(y)
	}
	t.Errorf("year %d (--seed %d): %v", o.Seed, o.Seed, y.err)
}

func tells(y year) {
	for _, line := range y.Story {
		if line.Number > 0 || y.Played() == 0 || *windUp && !strings.HasPrefix(line.Text, "job") {
			fmt.Println(line)
		}
	}
}
