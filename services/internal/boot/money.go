package boot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"adashi.ng/ledger/base/durable"
	"adashi.ng/services/internal/config"
)

// kindFile says in a data folder which rail its money is of. The first start writes it.
const kindFile = "rail"

// keepKind refuses to mix invented money with real money: each data folder is of one rail for good, and a database in
// which the sandbox has paid anything is the sandbox's.
func (i *Instance) keepKind(ctx context.Context) error {
	path := filepath.Join(i.Config.Data, kindFile)
	written, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("ADASHI_DATA: %w", err)
	}
	own, kind := config.RailSandbox, config.Rail(strings.TrimSpace(string(written)))
	if i.Config.Rail == config.RailLive {
		own = config.RailLive
	}
	var invented bool
	if err := i.Pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM sandbox_transfers) OR EXISTS (SELECT FROM sandbox_charges)").Scan(&invented); err != nil {
		return err
	}
	switch {
	case invented:
		kind = config.RailSandbox
	case kind == "":
		kind = own
	}
	if kind != own {
		return fmt.Errorf("ADASHI_RAIL is %s, and the money in %s and its database is of the %s rail: name another ADASHI_DATA and DATABASE_URL", own, i.Config.Data, kind)
	}
	if len(written) > 0 {
		return nil
	}
	return durable.WriteFile(path, []byte(kind+"\n"), 0o644)
}
