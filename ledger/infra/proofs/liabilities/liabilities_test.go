package liabilities_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/proofs/liabilities"
)

var update = flag.Bool("update", false, "write testdata/vectors.json")

var secret = liabilities.SecretOf([]byte("a key of at least thirty-two bytes"), "0190c0de-0000-7000-8000-000000000001")

// kept is the tiles of a tree, as in a database.
type kept []liabilities.Tile

func (k kept) Tile(level int, n int64) ([]byte, error) {
	for _, t := range k {
		if t.Level == level && t.N == n {
			return t.Nodes, nil
		}
	}
	return nil, liabilities.ErrAbsent
}

func (k kept) Holding(leaf liabilities.Hash) (int64, []byte, error) {
	at := sort.Search(len(k), func(i int) bool { return k[i].Level > 0 || string(k[i].Last[:]) >= string(leaf[:]) })
	if at == len(k) || k[at].Level > 0 {
		return 0, nil, liabilities.ErrAbsent
	}
	return k[at].N, k[at].Nodes, nil
}

func owed(n int) (all []liabilities.Account) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		all = append(all, liabilities.Account{Name: fmt.Sprintf("wallet:%d", i), Kobo: random.Int64N(5_000_000)})
	}
	return all
}

func built(t testing.TB, accounts []liabilities.Account) (*liabilities.Tree, []liabilities.Account) {
	t.Helper()
	planned, err := liabilities.Plan(accounts)
	require.NoError(t, err)
	tree, err := liabilities.Build(secret, planned)
	require.NoError(t, err)
	return tree, planned
}

// fileOf proves some accounts.
func fileOf(t testing.TB, tree *liabilities.Tree, accounts ...liabilities.Account) liabilities.File {
	t.Helper()
	root := tree.Root()
	f := liabilities.File{Version: 1, ID: "0190c0de-0000-7000-8000-000000000001", Position: 42, Root: liabilities.Hex(root.Hash), Sum: liabilities.Kobo(root.Kobo), Leaves: tree.Leaves()}
	for _, a := range accounts {
		proven, err := liabilities.Prove(kept(tree.Tiles()), root, tree.Leaves(), secret, a)
		require.NoError(t, err)
		f.Accounts = append(f.Accounts, proven)
	}
	return f
}

func TestEverybodyFindsAllOfTheirsInTheSum(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 100, 3_000} {
		accounts := owed(n)
		tree, planned := built(t, accounts)
		sum := int64(0)
		for _, a := range accounts {
			sum += a.Kobo
		}
		require.Equal(t, sum, tree.Root().Kobo)
		require.GreaterOrEqual(t, tree.Leaves(), int64(256), "how few there are is hidden")
		for _, a := range planned[:min(len(planned), 50)] {
			total, err := fileOf(t, tree, a).Verify(tree.Root().Hash)
			require.NoError(t, err)
			require.Equal(t, a.Kobo, total)
		}
	}
}

func TestNothingIsOwedToNobody(t *testing.T) {
	t.Parallel()
	tree, planned := built(t, []liabilities.Account{{Name: "wallet:a"}})
	require.Empty(t, planned)
	require.Zero(t, tree.Root().Kobo)
}

func TestALargeAccountIsNotTold(t *testing.T) {
	t.Parallel()
	accounts := append(owed(500), liabilities.Account{Name: "pool:large", Kobo: 9_000_000_000})
	tree, planned := built(t, accounts)
	large := fileOf(t, tree, planned[len(planned)-1]).Accounts[0]
	require.Len(t, large.Parts, 16)
	for i, part := range large.Parts[1:] {
		require.NotEqual(t, 1, max(part.Index-large.Parts[i].Index, large.Parts[i].Index-part.Index), "its leaves stand apart")
	}
	neighbour := fileOf(t, tree, planned[0])
	raw, err := json.Marshal(neighbour)
	require.NoError(t, err)
	require.NotContains(t, string(raw), `"9000000000"`)
	require.NotContains(t, string(raw), "pool:large")
}

// Among empty leaves, the sum of all of an account's leaves would often appear alone beside a path.
func TestFewAccountsAreSplitIntoMore(t *testing.T) {
	t.Parallel()
	for n, least := range map[int]int{1: 16, 3: 16, 20: 12, 200: 2} {
		_, planned := built(t, owed(n))
		for _, a := range planned {
			require.GreaterOrEqual(t, a.Parts, least, "of %d", n)
		}
	}
}

func TestTheSameBalancesHaveOtherLeavesAnotherDay(t *testing.T) {
	t.Parallel()
	accounts, err := liabilities.Plan(owed(10))
	require.NoError(t, err)
	other := liabilities.SecretOf([]byte("a key of at least thirty-two bytes"), "0190c0de-0000-7000-8000-000000000002")
	one, err := liabilities.Build(secret, accounts)
	require.NoError(t, err)
	two, err := liabilities.Build(other, accounts)
	require.NoError(t, err)
	again, err := liabilities.Build(secret, accounts)
	require.NoError(t, err)
	require.Equal(t, one.Root(), again.Root())
	require.NotEqual(t, one.Root().Hash, two.Root().Hash)
	require.Equal(t, one.Root().Kobo, two.Root().Kobo)
}

func TestAmountsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	_, err := liabilities.Plan([]liabilities.Account{{Name: "a", Kobo: -1}})
	require.ErrorIs(t, err, liabilities.ErrNegative)
	_, err = liabilities.Plan([]liabilities.Account{{Name: "a", Kobo: math.MaxInt64}, {Name: "b", Kobo: 1}})
	require.ErrorIs(t, err, liabilities.ErrOverflow)
	_, err = liabilities.Above(liabilities.Node{Kobo: -5}, liabilities.Node{Kobo: 10})
	require.ErrorIs(t, err, liabilities.ErrNegative)
	_, err = liabilities.Above(liabilities.Node{Kobo: math.MaxInt64}, liabilities.Node{Kobo: 1})
	require.ErrorIs(t, err, liabilities.ErrOverflow)
}

// A hash over only the total of both children would let two sums be moved between them.
func TestANodeCommitsToEachChildsSum(t *testing.T) {
	t.Parallel()
	above := func(left, right int64) liabilities.Hash {
		n, err := liabilities.Above(liabilities.Node{Kobo: left}, liabilities.Node{Kobo: right})
		require.NoError(t, err)
		return n.Hash
	}
	require.NotEqual(t, above(3, 7), above(7, 3))
	require.NotEqual(t, above(3, 7), above(4, 6))
	require.NotEqual(t, above(3, 7), above(0, 10))
}

// vector is a file and whether it is valid under a root. The browser is tested with the same vectors.
type vector struct {
	Name  string          `json:"name"`
	Root  string          `json:"root"`
	Holds bool            `json:"holds"`
	Kobo  string          `json:"kobo,omitempty"` // The total of its accounts.
	File  json.RawMessage `json:"file"`
}

// forged lists ways to tamper with a file of two accounts, as changes of its JSON.
var forged = map[string]func(f map[string]any){
	"one byte of a hash": func(f map[string]any) { beside(f)["hash"] = flipped(beside(f)["hash"].(string)) },
	"one byte of a salt": func(f map[string]any) { part(f)["salt"] = flipped(part(f)["salt"].(string)) },
	"a sum beside it is one more": func(f map[string]any) {
		beside(f)["kobo"] = oneMore(beside(f)["kobo"])
	},
	"the sum of all is one more": func(f map[string]any) { f["sum"] = oneMore(f["sum"]) },
	"a sum is negative":          func(f map[string]any) { beside(f)["kobo"] = "-1" },
	"a part is negative":         func(f map[string]any) { part(f)["kobo"] = "-1" },
	"the sides are swapped":      func(f map[string]any) { part(f)["index"] = float64(int64(part(f)["index"].(float64)) ^ 1) },
	"a sum is beyond int64":      func(f map[string]any) { beside(f)["kobo"] = "9223372036854775808" },
	"a sum overflows": func(f map[string]any) {
		beside(f)["kobo"] = "9223372036854775807"
	},
	"an amount has a leading zero": func(f map[string]any) { part(f)["kobo"] = "0" + part(f)["kobo"].(string) },
	"another member's path":        func(f map[string]any) { accounts(f)[0]["account"] = "wallet:somebody-else" },
	"a balance that is not the parts'": func(f map[string]any) {
		accounts(f)[0]["kobo"] = oneMore(accounts(f)[0]["kobo"])
	},
	"a part is missing": func(f map[string]any) { accounts(f)[0]["parts"] = accounts(f)[0]["parts"].([]any)[1:] },
	"a part is counted twice": func(f map[string]any) {
		parts := accounts(f)[0]["parts"].([]any)
		accounts(f)[0]["parts"] = append(parts, parts[0])
		accounts(f)[0]["kobo"] = plus(accounts(f)[0]["kobo"], part(f)["kobo"])
	},
	"an account is in it twice": func(f map[string]any) { f["accounts"] = append(f["accounts"].([]any), f["accounts"].([]any)[0]) },
	"an account of no parts": func(f map[string]any) {
		f["accounts"] = append(f["accounts"].([]any), map[string]any{"account": "wallet:none", "kobo": "0", "parts": []any{}})
	},
	"no account":                       func(f map[string]any) { f["accounts"] = []any{} },
	"the path is too short":            func(f map[string]any) { part(f)["path"] = part(f)["path"].([]any)[1:] },
	"a tree of another height":         func(f map[string]any) { f["leaves"] = float64(1024) },
	"a tree of no power of two":        func(f map[string]any) { f["leaves"] = float64(300) },
	"another root":                     func(f map[string]any) { f["root"] = flipped(f["root"].(string)) },
	"another version":                  func(f map[string]any) { f["version"] = float64(2) },
	"an index beyond the leaves":       func(f map[string]any) { part(f)["index"] = part(f)["index"].(float64) + 512 },
	"a hash in capitals":               func(f map[string]any) { part(f)["salt"] = strings.ToUpper(part(f)["salt"].(string)) },
	"a path of something else's level": func(f map[string]any) { p := part(f)["path"].([]any); p[0], p[1] = p[1], p[0] },
}

func accounts(f map[string]any) (all []map[string]any) {
	for _, a := range f["accounts"].([]any) {
		all = append(all, a.(map[string]any))
	}
	return all
}

func part(f map[string]any) map[string]any {
	return accounts(f)[0]["parts"].([]any)[0].(map[string]any)
}

func beside(f map[string]any) map[string]any { return part(f)["path"].([]any)[3].(map[string]any) }

func plus(a, b any) string {
	n, _ := strconv.ParseInt(a.(string), 10, 64)
	m, _ := strconv.ParseInt(b.(string), 10, 64)
	return strconv.FormatInt(n+m, 10)
}

func oneMore(kobo any) string { return plus(kobo, "1") }

func flipped(hash string) string {
	if hash[0] == '0' {
		return "1" + hash[1:]
	}
	return "0" + hash[1:]
}

func vectors(t *testing.T) (all []vector) {
	accounts := append(owed(130), liabilities.Account{Name: "pool:β", Kobo: 1}, liabilities.Account{Name: "card:large", Kobo: 9_007_199_254_740_993})
	tree, planned := built(t, accounts)
	mine, large, small := planned[3], planned[len(planned)-1], planned[len(planned)-2]
	whole, err := json.Marshal(fileOf(t, tree, mine, large, small))
	require.NoError(t, err)
	f := fileOf(t, tree, mine, small)
	raw, err := json.Marshal(f)
	require.NoError(t, err)
	root, err := f.Root.MarshalText()
	require.NoError(t, err)
	all = append(all, vector{"as it is", string(root), true, fmt.Sprint(mine.Kobo + 1), raw},
		vector{"with more kobo than a float can say", string(root), true, fmt.Sprint(mine.Kobo + large.Kobo + small.Kobo), whole})
	for name, forge := range forged {
		var changed map[string]any
		require.NoError(t, json.Unmarshal(raw, &changed))
		forge(changed)
		bad, err := json.Marshal(changed)
		require.NoError(t, err)
		require.NotEqual(t, raw, bad, name)
		all = append(all, vector{Name: name, Root: string(root), File: bad})
	}
	all = append(all, vector{Name: "under the root of another day", Root: flipped(string(root)), File: raw})
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

func TestTheVectors(t *testing.T) {
	t.Parallel()
	made, err := json.Marshal(vectors(t))
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile("testdata/vectors.json", append(made, '\n'), 0o644))
	}
	raw, err := os.ReadFile("testdata/vectors.json")
	require.NoError(t, err)
	require.JSONEq(t, string(made), string(raw), "a shipped root can be checked for ever: the vectors never change")
	var all []vector
	require.NoError(t, json.Unmarshal(raw, &all))
	for _, v := range all {
		var root liabilities.Hex
		require.NoError(t, root.UnmarshalText([]byte(v.Root)))
		f, err := liabilities.Read(v.File)
		kobo := int64(0)
		if err == nil {
			kobo, err = f.Verify(liabilities.Hash(root))
		}
		if v.Holds {
			require.NoError(t, err, v.Name)
			require.Equal(t, v.Kobo, fmt.Sprint(kobo), v.Name)
		} else {
			require.ErrorIs(t, err, liabilities.ErrFile, v.Name)
		}
	}
}

func FuzzAFileIsReadOrRefused(f *testing.F) {
	f.Add([]byte(`{"version":1,"leaves":256,"accounts":[{"account":"a","kobo":"0","parts":[{"index":-1}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if file, err := liabilities.Read(raw); err == nil {
			_, err = file.Verify(liabilities.Hash{})
			require.Error(t, err)
		}
	})
}

func BenchmarkATreeOf200000Accounts(b *testing.B) {
	accounts := owed(200_000)
	for b.Loop() {
		began := time.Now()
		tree, planned := built(b, accounts)
		b.ReportMetric(time.Since(began).Seconds(), "s/build")
		tiles := kept(tree.Tiles())
		bytes := 0
		for _, t := range tiles {
			bytes += len(t.Nodes)
		}
		b.ReportMetric(float64(bytes)/1e6, "MB/tiles")
		b.ReportMetric(float64(tree.Leaves()), "leaves")
		began = time.Now()
		for _, a := range planned[:100] {
			_, err := liabilities.Prove(tiles, tree.Root(), tree.Leaves(), secret, a)
			require.NoError(b, err)
		}
		b.ReportMetric(float64(time.Since(began).Microseconds())/100, "µs/proof")
	}
}
