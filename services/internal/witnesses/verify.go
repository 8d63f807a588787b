package witnesses

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/proofs"
)

// Check holds that no two roots of one size were signed, and that the ledger still leads to every tree that was.
func Check(pool *pgxpool.Pool, keys proofs.Keys) audit.More {
	return audit.More{
		Name: "witnesses", Rule: "no witness signed two roots of one size, and every tree that one signed is a beginning of the ledger",
		Run: func(ctx context.Context, c *audit.Check) error {
			var made bool
			if err := pool.QueryRow(ctx, "SELECT to_regclass('witness_cosignatures') IS NOT NULL").Scan(&made); err != nil {
				return err
			}
			if !made {
				c.Skipped = "nothing has made them here yet"
				return nil
			}
			all, err := list(ctx, pool, "SELECT "+columns+" FROM witness_cosignatures ORDER BY origin, size, public_key, root")
			if err != nil {
				return err
			}
			v := verifying{pool: pool, leading: leading{reader: proofs.NewReader(pool, keys)}, check: c}
			return v.run(ctx, all)
		},
	}
}

type verifying struct {
	leading
	pool   *pgxpool.Pool
	check  *audit.Check
	owners map[string]string // Whose device has a key.
}

func (v *verifying) run(ctx context.Context, all []signed) (err error) {
	if len(all) == 0 {
		return nil
	}
	if v.epochs, err = v.reader.Epochs(ctx); err != nil {
		return err
	}
	if err := v.registered(ctx); err != nil {
		return err
	}
	if v.latest, err = v.reader.Latest(ctx); err != nil {
		return err
	}
	var before *signed
	for _, one := range all {
		v.check.Looked++
		who := one.who()
		if !one.right() {
			v.check.Violate(one.Size, who, "Its signature is not that of its key.")
			continue
		}
		if one.User != "" && v.owners[hex.EncodeToString(one.Public)] != one.User {
			v.check.Violate(one.Size, who, "The ledger does not say that this device watches for that member.")
		}
		if before != nil && before.Origin == one.Origin && before.Size == one.Size && !bytes.Equal(before.Root, one.Root) {
			v.check.Violate(one.Size, who, "Two roots of size %d were signed: the other by %s. The ledger showed two histories.", one.Size, before.who())
		}
		before = &one
		if parted := v.parted(ctx, one.Origin, one.Size, one.Root); parted != "" {
			v.check.Violate(one.Size, who, "%s", parted)
		}
	}
	return nil
}

// epochOf reads a checkpoint's origin: a ledger's name and its epoch.
func epochOf(origin string) (name string, epoch int, ok bool) {
	at := strings.LastIndex(origin, "/e")
	if at < 0 {
		return "", 0, false
	}
	epoch, err := strconv.Atoi(origin[at+2:])
	return origin[:at], epoch, err == nil
}

// registered reads whose device has which key, also those that were revoked.
func (v *verifying) registered(ctx context.Context) error {
	v.owners = map[string]string{}
	rows, err := v.pool.Query(ctx, "SELECT type, body FROM events WHERE stream > 'account:' AND stream < 'account;' AND type = 'naira.v1.WitnessKeyRegistered'")
	if err != nil {
		return err
	}
	var typ string
	var body []byte
	_, err = pgx.ForEachRow(rows, []any{&typ, &body}, func() error {
		m, err := event.DecodeRecorded(typ, body)
		if err != nil {
			return err
		}
		k := m.(*nairav1.WitnessKeyRegistered)
		v.owners[hex.EncodeToString(k.GetPublicKey())] = k.GetUserId()
		return nil
	})
	return err
}

// who is a witness as a report names it.
func (s signed) who() string {
	if s.Name != "" {
		return "witness " + s.Name
	}
	return fmt.Sprintf("device %.16s", hex.EncodeToString(s.Public))
}
