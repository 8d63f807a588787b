package services_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/proto/gen/access"

	"adashi.ng/ledger/domain/standing"
)

var update = flag.Bool("update", false, "write docs/standing.md and docs/told.md as they are now")

// TestEachCommandOfTheContractNamesItsAct holds that the contract and the ledger speak of the same acts.
func TestEachCommandOfTheContractNamesItsAct(t *testing.T) {
	t.Parallel()
	commands := 0
	for route, r := range access.Routes {
		if strings.HasPrefix(route, "GET ") {
			require.Empty(t, r.Acts, route)
			continue
		}
		commands++
		require.NotEmpty(t, r.Acts, "%s names no act in its x-access", route)
		for _, name := range r.Acts {
			act, known := standing.Named(name)
			require.True(t, known, "%s: ledger/domain/standing has no act %q", route, name)
			require.True(t, act.ByThem(), "%s: %s is done to a person, and is no command of theirs", route, name)
		}
	}
	require.Greater(t, commands, 150)
}

// TestTheStandingTableIsWhatIsWrittenDown holds docs/standing.md to the table that the ledger asks.
func TestTheStandingTableIsWhatIsWrittenDown(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "docs", "standing.md")
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(standingPage()), 0o600))
	}
	want, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, string(want), standingPage(), "run with -update if it is meant")
}

func standingPage() string {
	var b strings.Builder
	b.WriteString(`# Standing

What a person may do in the standing that they have. The deciders of the ledger ask this table
(` + "`ledger/domain/standing`" + `, ` + "`May`" + `), and this page is written from it:
` + "`go test . -run StandingTable -update` in `services`" + ` writes it. A cell says *allowed*, or the sentence of the refusal;
… is what the decider fills in. A cell with ¹ was not asked by earlier builds: what they decided stays as it is.

An account is open, frozen or closed. An erased account is a closed one whose data is gone. A closed account has no
session either, so that its owner gets 401 for each command; the ledger refuses what was under way.

## What a person does

| act | a person … | open | frozen | closed |
|---|---|---|---|---|
`)
	cells(&b, true)
	b.WriteString("\n## What is done to a person\n\n| act | a person … | open | frozen | closed |\n|---|---|---|---|---|\n")
	cells(&b, false)
	b.WriteString(`
## What a person is to the matter

These standings depend on the matter, not on the account. A *minor* is not 18 yet; a *ward* is one without a guardian's
consent. *Own* is staff or an official in their own matter; a *party* is staff who are, or were, in the group or ajo of a
case; *tied* is somebody who shares a bank account or a BVN with the person whom it is about. To a group, a *stranger* is
not in it or left it, an *invited* person has not answered, a *waiting* one asked to join, and an *inactive* one keeps seat
and money. Every act that is not listed is allowed by this table; the rules of its area hold all the same.

| standing | act | refusal |
|---|---|---|
`)
	for _, s := range standing.Standings() {
		for _, act := range standing.Acts() {
			if sentence, allowed := act.Answer(s); !s.OfAccount() && !allowed {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", s, act, sentence)
			}
		}
	}
	b.WriteString(`
## Which act each command is

` + "`x-access`" + ` in ` + "`proto/http/openapi.yaml`" + ` says so. A command in two rows is one or the other by what its body says.

| act | commands |
|---|---|
`)
	commands := map[string][]string{}
	for _, route := range slices.Sorted(maps.Keys(access.Routes)) {
		for _, act := range access.Routes[route].Acts {
			commands[act] = append(commands[act], access.Routes[route].Name)
		}
	}
	for _, act := range standing.Acts() {
		if names := commands[act.String()]; len(names) > 0 {
			slices.Sort(names)
			fmt.Fprintf(&b, "| %s | %s |\n", act, strings.Join(names, ", "))
		}
	}
	return b.String()
}

// cells are the rows of the standings of an account, of what people do or of what is done to them.
func cells(b *strings.Builder, byThem bool) {
	for _, act := range standing.Acts() {
		if act.ByThem() != byThem {
			continue
		}
		fmt.Fprintf(b, "| %s | %s |", act, act.What())
		for _, s := range standing.Standings() {
			sentence, allowed := act.Answer(s)
			switch {
			case !s.OfAccount():
			case allowed:
				b.WriteString(" allowed |")
			case act.Stays(s):
				b.WriteString(" " + sentence + " ¹ |")
			default:
				b.WriteString(" " + sentence + " |")
			}
		}
		b.WriteString("\n")
	}
}
