package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/witness"
)

// witnessCommand is a witness of somebody else's ledger.
type witnessCommand struct {
	Log    []string `help:"The public key of a ledger to watch, as its /api/Ledger/keys says and somebody you trust confirms: name+hash+base64. Its checkpoints of every epoch are signed. Again for more keys." required:"" sep:"none"`
	Name   string   `help:"The name of this witness, such as witness.example.org: used when its key is made." default:"witness.local"`
	Folder string   `help:"Where the key and what was signed last are kept. Never put it back to an earlier time." default:".witness" type:"path"`
	Listen string   `help:"The address to listen on." default:"127.0.0.1:8099"`
}

// Help implements kong.HelpProvider.
func (witnessCommand) Help() string {
	return `Signs each checkpoint of a ledger that continues the last one it signed, by C2SP tlog-witness: POST /add-checkpoint. Run it on
a machine, and by people, that have nothing to do with the ledger's. It makes its key at the first start and prints the
public half: give that to the ledger's operator (ADASHI_WITNESSES), and to whoever is to check.

  adashi witness --name witness.example.org --log adashi.ng/ledger+1f2e3d4c+AX…`
}

func (c witnessCommand) Run() error {
	server, key, err := c.open()
	if err != nil {
		return err
	}
	defer func() { _ = server.Close() }()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	serves := &http.Server{Handler: server.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- serves.Serve(listener) }()
	fmt.Printf("This witness is ready at http://%s and signs as\n%s\n", listener.Addr(), key)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	return serves.Shutdown(ending)
}

// open reads the witness's key, or makes it, and what it signed last.
func (c witnessCommand) open() (*witness.Server, *witness.Signer, error) {
	var logs []proofs.Key
	for _, text := range c.Log {
		key, err := proofs.ParseKey(text)
		if err != nil || key.CanSign() {
			return nil, nil, errors.New("--log must be a ledger's public key: name+hash+base64")
		}
		logs = append(logs, key)
	}
	if err := durable.MakeFolder(c.Folder, 0o700); err != nil {
		return nil, nil, fmt.Errorf("--folder: %w", err)
	}
	key, err := c.key()
	if err != nil {
		return nil, nil, err
	}
	server, err := witness.Open(witness.Options{Key: key, Logs: logs, State: filepath.Join(c.Folder, "seen.json")})
	return server, key, err
}

func (c witnessCommand) key() (*witness.Signer, error) {
	path := filepath.Join(c.Folder, "key")
	text, err := os.ReadFile(path)
	if err == nil {
		return witness.ParseSigner(string(text))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// A new key would make a new witness of one that lost its old one, and nobody would notice.
	if _, err := os.Stat(filepath.Join(c.Folder, "seen.json")); err == nil {
		return nil, fmt.Errorf("%s is gone, but this witness has signed: put the key back, or begin in a new folder", path)
	}
	key, err := witness.NewSigner(strings.TrimSpace(c.Name))
	if err != nil {
		return nil, fmt.Errorf("--name: %w", err)
	}
	return key, durable.WriteFile(path, []byte(key.Secret()+"\n"), 0o600)
}
