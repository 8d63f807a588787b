package e2e

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/boot"
)

// operator types a command on an installation that runs.
func operator(t *testing.T, data string, args ...string) (string, error) {
	t.Helper()
	binary, err := built()
	require.NoError(t, err)
	command := exec.CommandContext(within(t, 2*time.Minute), binary, args...)
	for _, setting := range os.Environ() {
		if name, _, _ := strings.Cut(setting, "="); !strings.HasPrefix(name, "ADASHI_") && !strings.HasSuffix(name, "_URL") || name == "ADASHI_PG_BIN" {
			command.Env = append(command.Env, setting)
		}
	}
	command.Env = append(command.Env, "ADASHI_DATA="+data)
	out, err := command.CombinedOutput()
	return string(out), err
}

func says(t *testing.T, data, want string, args ...string) string {
	t.Helper()
	out, err := operator(t, data, args...)
	require.NoError(t, err, out)
	require.Contains(t, out, want)
	return out
}

// sealed waits until every event is sealed.
func sealed(t *testing.T, i *boot.Instance) {
	t.Helper()
	require.Eventually(t, func() bool {
		events, _, err := proofs.Unsealed(context.Background(), i.Pool)
		return err == nil && events == 0
	}, time.Minute, 20*time.Millisecond)
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	out, err := exec.Command("cp", "-a", from, to).CombinedOutput()
	require.NoError(t, err, string(out))
}

// A folder's database is put back to a backup, as after a disk's death, while the stream and the checkpoint file are of
// today. Nobody pays before an operator has looked; afterwards everything goes on, and who lost records is told.
func TestADatabaseThatIsPutBackIsFinishedByTheCommandsOfTheDocs(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	postgres, backup := filepath.Join(data, "postgres"), filepath.Join(data, "backup")
	i, err := boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	bisi, ada := somebody(t, i, "Bisi").funded(5000), somebody(t, i, "Ada").funded(700)
	sealed(t, i)
	witness, push := witnessOf(t, i)
	require.NoError(t, push.Push(context.Background()))
	lite, unbuilt := startLitewitness(t)
	t.Run("litewitness signs the first epoch", func(t *testing.T) {
		if lite == nil {
			t.Skip(unbuilt)
		}
		lite.signs(t, i, 1)
	})
	i.Stop()
	copied(t, postgres, backup)

	i, err = boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	bisi.base, ada.base = i.Address, i.Address
	payment := must[object](bisi, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 3000, "email": bisi.email})
	require.Equal(t, 303, bisi.sends(payment, "3000").StatusCode)
	bisi.holds("8000.00")
	sealed(t, i)
	i.Stop()
	require.NoError(t, os.RemoveAll(postgres))
	require.NoError(t, os.Rename(backup, postgres))

	i, err = boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	bisi.base, ada.base = i.Address, i.Address
	refused, err := bisi.try("POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": bisi.email})
	require.NoError(t, err)
	require.Equal(t, 503, refused.status)
	require.Contains(t, refused.Message, "put back to an earlier time")
	require.Equal(t, "5000.00", bisi.balance(), "what is known can be read")
	require.Equal(t, []string{"history"}, unwell(t, i.Address), "it says so, and that it can take no payment")
	looked := says(t, data, "Nothing was changed", "ledger", "epoch", "raise")
	_, after, _ := strings.Cut(looked, "\n")
	lost := ""
	for line := range strings.SplitSeq(after, "\n") {
		if n, found := strings.CutSuffix(line, " recorded positions would be given up."); found {
			lost = n
		}
	}
	require.NotEmpty(t, lost, looked)
	says(t, data, "payments go on", "ledger", "epoch", "raise", "--reason", "The disk failed; the backup of 04:00 was restored.")
	must[object](bisi, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": bisi.email})
	out, err := operator(t, data, "ledger", "verify", "--no-models")
	require.Error(t, err, "what is not signed is a violation: %s", out)
	says(t, data, "reason The bank repeats one payment.", "ledger", "epoch", "acknowledge", "2", "--gives-up", lost, "--reason", "The bank repeats one payment.")
	sealed(t, i)
	require.Eventually(t, func() bool { return bisi.heard("Records were lost") != "" }, 90*time.Second, 100*time.Millisecond)
	require.Contains(t, bisi.heard("Records were lost"), "In them moved: ₦3,000.00 into your wallet on ")
	require.Empty(t, ada.heard("Records were lost"), "she lost nothing")
	epochs := must[[]object](nobody(t, i.Address), "GET", "/api/Ledger/epochs", nil)
	require.Len(t, epochs, 1)
	require.Equal(t, "The bank repeats one payment.", epochs[0]["reason"])
	says(t, data, "Epoch 2 began after position", "ledger", "verify")

	t.Run("litewitness signs the second epoch once it is told of it", func(t *testing.T) {
		if lite == nil {
			t.Skip(unbuilt)
		}
		lite.signs(t, i, 2)
	})

	// What was signed before still shows who saw it; what was given up since does not.
	sees := func() (of []any) {
		for _, one := range bisi.seen("?position=1") {
			if one["publicKey"] == hex.EncodeToString(witness.Public()) {
				of = append(of, one["size"])
			}
		}
		return of
	}
	before := sees()
	require.Len(t, before, 1)
	_, err = i.Pool.Exec(context.Background(), `INSERT INTO witness_cosignatures (public_key, name, user_id, origin, size, root, signature, kept_at)
		SELECT public_key, name, user_id, origin, $1::bigint + 1, root, signature, kept_at FROM witness_cosignatures WHERE public_key = $2 LIMIT 1`, epochs[0]["from"], witness.Public())
	require.NoError(t, err)
	require.Equal(t, before, sees())
}

// unwell are the needed checks that keep a process from being ready.
func unwell(t *testing.T, base string) (names []string) {
	t.Helper()
	response, err := http.Get(base + "/readyz")
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	var said struct {
		Checks []struct {
			Name       string
			OK, Needed bool
		}
		ReturnedObject struct {
			Checks []struct {
				Name       string
				OK, Needed bool
			}
		}
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&said))
	for _, c := range append(said.Checks, said.ReturnedObject.Checks...) {
		if c.Needed && !c.OK && c.Name != "payments" {
			names = append(names, c.Name)
		}
	}
	require.Equal(t, len(names) == 0, response.StatusCode == http.StatusOK)
	return names
}

// heard is what a member was told under this title, or "" where they were told nothing.
func (p *person) heard(title string) string {
	p.Helper()
	for _, n := range must[object](p, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
		if data := n.(map[string]any)["data"].(map[string]any); data["title"] == title {
			return data["body"].(string)
		}
	}
	return ""
}

// Whoever can write to the database cannot send payers to an account of their own.
func TestAnAccountToPayToThatIsChangedInTheDatabaseIsShownToNobody(t *testing.T) {
	t.Parallel()
	i := product(t)
	p := somebody(t, i, "Bisi")
	pay := func() string {
		return must[object](p, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 400, "email": p.email})["transactionRef"].(string)
	}
	kept, changed := pay(), pay()
	open := func() (refs []any) {
		for _, one := range must[[]object](p, "GET", "/api/v1/wallet/open-payments", nil) {
			refs = append(refs, one["transactionRef"])
		}
		return refs
	}
	require.Eventually(t, func() bool { return len(open()) == 2 }, time.Minute, 20*time.Millisecond)
	tag, err := i.Pool.Exec(context.Background(), "UPDATE payment_instructions SET account_number = '0123456789' WHERE payment_id = $1", changed)
	require.NoError(t, err)
	require.EqualValues(t, 1, tag.RowsAffected())
	require.Equal(t, []any{kept}, open(), "the others can be paid")
	out, err := operator(t, i.Config.Data, "ledger", "verify", "--no-stream", "--no-models")
	require.Error(t, err)
	require.Contains(t, out, "payment "+changed)
	require.NotContains(t, out, "payment "+kept)
}
