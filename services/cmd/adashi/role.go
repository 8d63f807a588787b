package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/people"
)

// role is what a person can do about roles. There is no other way to become Admin.
type role struct {
	Grant  grant  `cmd:"" help:"Give an account a role: User, Support, FinanceOps or Admin. Without DATABASE_URL, stop adashi first."`
	Revoke revoke `cmd:"" help:"Take a role away from an account, and end its sessions: Support, FinanceOps or Admin. Without DATABASE_URL, stop adashi first."`
}

type grant struct {
	Email string `arg:"" help:"The account's e-mail."`
	Role  string `arg:"" help:"User, Support, FinanceOps or Admin."`
}

func (g grant) Run() error { return change(people.GrantRole, g.Email, g.Role, "is now") }

type revoke struct {
	Email string `arg:"" help:"The account's e-mail."`
	Role  string `arg:"" help:"Support, FinanceOps or Admin."`
}

func (r revoke) Run() error { return change(people.RevokeRole, r.Email, r.Role, "is no longer") }

// change gives or takes a role, and says so.
func change(do func(ctx context.Context, pool *pgxpool.Pool, email, role string) error, email, role, says string) error {
	ctx := context.Background()
	cfg, err := config.Load()
	if err != nil {
		return err
	}
	pool, stop, err := boot.Database(ctx, cfg)
	if err != nil {
		return err
	}
	defer stop()
	if err := do(ctx, pool, email, role); err != nil {
		return err
	}
	fmt.Println(email, says, role)
	return nil
}
