package ledger_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Why a command that decides by a time of its own need not say it.
const (
	exact  = "its event says the time by which it decided"
	waited = "it waits for a time, and decides alike at any time after it"
	tried  = "verify --deep tries it again as of when it was recorded, and as of just before"
	none   = "it decides nothing by its time"
)

// undated are those commands.
var undated = map[string]string{
	"account.AskThaw": exact, "account.Close": waited, "account.Freeze": tried, "account.Thaw": waited,
	"ajo.Cancel": tried, "ajo.CloseList": exact, "ajo.Create": tried, "ajo.Leave": tried, "ajo.Move": exact, "ajo.Vacate": tried,
	"ajoremind.Remind": tried, "correction.Propose": waited,
	"dispute.AllowHold": tried, "dispute.Claim": exact, "dispute.GiveAnswer": tried, "dispute.HoldPayout": tried, "dispute.JudgeAnswer": tried,
	"dispute.RemindAnswer": tried, "dispute.SendAnswer": tried, "dispute.TellCard": exact, "dispute.tick": waited,
	"holds.Place": tried, "remedy.Agree": tried, "remedy.Propose": tried, "reviews.Mark": tried, "reviews.MarkAjo": tried,
	"sampling.Close": exact, "sampling.Draw": waited,
	"savings.CreateGroup": tried, "savings.EndSuccession": waited, "savings.InviteMember": exact, "savings.AcceptInvitation": tried, "savings.JoinGroup": tried,
	"savings.LapseInvitation": waited, "savings.OpenSubAccount": tried, "savings.ProposeSuccession": tried, "savings.SetNotice": tried, "savings.VoteSuccession": tried,
	"wallet.ReversePayment": none, // It is when the gateway took the payment back.
}

// area is what the files of a package of the domain declare.
type area struct {
	methods map[string][]string // Of each type.
	timed   []string            // The structs that have a time of their own.
}

func (a *area) read(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				name := strings.TrimPrefix(fmt.Sprint(n.Recv.List[0].Type), "*")
				a.methods[name] = append(a.methods[name], n.Name.Name)
			}
		case *ast.TypeSpec:
			s, is := n.Type.(*ast.StructType)
			if !is {
				break
			}
			for _, f := range s.Fields.List {
				for _, name := range f.Names {
					kind, is := f.Type.(*ast.SelectorExpr)
					if is && kind.Sel.Name == "Time" && slices.Contains([]string{"at", "now"}, strings.ToLower(name.Name)) {
						a.timed = append(a.timed, n.Name.Name)
					}
				}
			}
		}
		return true
	})
}

// What a command records counts from the time by which it decided, so that both are of one day. A new command that
// decides by a time of its own says it.
func TestEveryCommandThatDecidesByATimeOfItsOwnSaysIt(t *testing.T) {
	t.Parallel()
	areas := map[string]*area{}
	files, err := filepath.Glob("domain/*/*.go")
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		if areas[file.Name.Name] == nil {
			areas[file.Name.Name] = &area{methods: map[string][]string{}}
		}
		areas[file.Name.Name].read(file)
	}
	looked, silent := 0, []string{}
	for name, a := range areas {
		for _, typ := range a.timed {
			if !slices.Contains(a.methods[typ], "Decide") {
				continue
			}
			if looked++; !slices.Contains(a.methods[typ], "DecidesAt") {
				silent = append(silent, name+"."+typ)
			}
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(undated)), silent, "implement event.Dated, or say here why the command need not")
	require.Greater(t, looked, 50)
}
