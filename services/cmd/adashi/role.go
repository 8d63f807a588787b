package main

import (
	"context"
	"fmt"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/people"
)

// role is what a person can do about roles. There is no other way to become Admin.
type role struct {
	Grant grant `cmd:"" help:"Give an account a role: User, Support, FinanceOps or Admin. Without DATABASE_URL, stop adashi first."`
}

type grant struct {
	Email string `arg:"" help:"The account's e-mail."`
	Role  string `arg:"" help:"User, Support, FinanceOps or Admin."`
}

func (g grant) Run() error {
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
	if err := people.GrantRole(ctx, pool, g.Email, g.Role); err != nil {
		return err
	}
	fmt.Println(g.Email, "is now", g.Role)
	return nil
}
