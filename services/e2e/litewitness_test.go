package e2e

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"adashi.ng/ledger/infra/proofs/witness"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/witnesses"
)

// torchwood is the release of filippo.io/torchwood whose litewitness is built.
const torchwood = "v0.6.1"

// litewitness is a witness that others wrote, with its SQLite database and what adds an origin to it.
type litewitness struct {
	witnesses.Outsider
	adder, db string
}

// addsOrigin does what `witnessctl add-log` and `witnessctl add-key` do. They are not built here: one of the modules
// that witnessctl needs is not at every module proxy.
const addsOrigin = `package main

import (
	"log"
	"os"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

func main() {
	db, err := sqlite.OpenConn(os.Args[1])
	exec := func(query string, args ...any) {
		if err == nil {
			err = sqlitex.Execute(db, query, &sqlitex.ExecOptions{Args: args})
		}
	}
	exec("INSERT INTO log (origin, tree_size, tree_hash) VALUES (?, 0, '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')", os.Args[2])
	exec("INSERT INTO key (origin, key) VALUES (?, ?)", os.Args[2], os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
}
`

// startLitewitness builds litewitness through the module proxy and starts it with a key of its own. It answers why not
// where it cannot be built.
func startLitewitness(t *testing.T) (*litewitness, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "lw") // A socket's path has at most 108 bytes.
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	mod := "module example.org/adder\n\ngo 1.24.0\n\nrequire (\n\tfilippo.io/torchwood " + torchwood + "\n\tzombiezen.com/go/sqlite v1.4.2\n)\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(addsOrigin), 0o600))
	build := exec.CommandContext(within(t, 5*time.Minute), "go", "build", "-mod=mod", "-o", dir+"/bin/", ".", "filippo.io/torchwood/cmd/litewitness")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, "litewitness of filippo.io/torchwood " + torchwood + " cannot be built here: " + string(out)
	}
	_, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	signer, err := ssh.NewSignerFromKey(private)
	require.NoError(t, err)
	keys := agent.NewKeyring()
	require.NoError(t, keys.Add(agent.AddedKey{PrivateKey: private}))
	serves, err := net.Listen("unix", filepath.Join(dir, "agent"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = serves.Close() })
	go func() {
		for {
			conn, err := serves.Accept()
			if err != nil {
				return
			}
			go func() { _ = agent.ServeAgent(keys, conn) }()
		}
	}()
	w := &litewitness{adder: dir + "/bin/adder", db: dir + "/db"}
	w.run(t, dir, ssh.FingerprintSHA256(signer.PublicKey()))
	return w, ""
}

var vkey = regexp.MustCompile(`vkey="?([^\s"]+)`)

// run starts it, and waits until it takes calls.
func (w *litewitness) run(t *testing.T, dir, fingerprint string) {
	t.Helper()
	address := "127.0.0.1:" + port(t)
	ctx, stop := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, dir+"/bin/litewitness", "-name", "witness.example/lite", "-db", w.db, "-ssh-agent", dir+"/agent", "-listen", address, "-key", fingerprint)
	said, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() { stop(); _ = command.Wait() })
	lines := bufio.NewScanner(said)
	for w.Key == nil && lines.Scan() {
		if found := vkey.FindStringSubmatch(lines.Text()); found != nil {
			all, err := witnesses.ParseOutsiders("http://" + address + " " + found[1])
			require.NoError(t, err)
			w.Outsider = all[0]
		}
	}
	require.NotNil(t, w.Key, "it did not say its key")
	go func() {
		for lines.Scan() {
			continue // It waits for a reader.
		}
	}()
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, time.Minute, 20*time.Millisecond)
}

// follows has it sign the checkpoints of an origin that a key of the ledger signed.
func (w *litewitness) follows(t *testing.T, origin, key string) {
	t.Helper()
	out, err := exec.CommandContext(within(t, time.Minute), w.adder, w.db, origin, key).CombinedOutput()
	require.NoError(t, err, string(out))
}

// signs sees that it signs nothing of an epoch that it was not told of, and then what the ledger sealed of it.
func (w *litewitness) signs(t *testing.T, i *boot.Instance, epoch int) {
	t.Helper()
	ctx := context.Background()
	asks := func() error { // Without a pause since it refused.
		return (&witnesses.Pusher{Service: i.App.Witnesses, Outsiders: []witnesses.Outsider{w.Outsider}}).Push(ctx)
	}
	origin, key := keysOf(t, i).Origin(epoch), keysOf(t, i).Current.String()
	kept := func() (signed int64) {
		query := "SELECT coalesce(max(size), 0) FROM witness_cosignatures WHERE public_key = $1 AND origin = $2"
		require.NoError(t, i.Pool.QueryRow(ctx, query, w.Key.Public(), origin).Scan(&signed))
		return signed
	}
	require.ErrorIs(t, asks(), witness.ErrUnknown)
	require.Zero(t, kept())
	w.follows(t, origin, key)
	require.NoError(t, asks())
	first := kept()
	require.Positive(t, first)
	somebody(t, i, "Chidi").funded(100)
	sealed(t, i)
	require.NoError(t, asks())
	require.Greater(t, kept(), first, "it goes on from what it signed")
	require.Empty(t, violations(t, i, "witness.example/lite"))
}
