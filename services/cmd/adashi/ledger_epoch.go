package main

import (
	"context"
	"errors"
	"fmt"

	"adashi.ng/ledger/store"
	"adashi.ng/services/internal/boot"
)

type ledgerEpoch struct {
	Acknowledge ledgerEpochAcknowledge `cmd:"" help:"Note that what was lost when an epoch began has been settled."`
}

type ledgerEpochAcknowledge struct {
	Epoch int    `arg:"" help:"The epoch's number."`
	Note  string `required:"" help:"Who settled it, and what came of it."`
}

// Help implements kong.HelpProvider.
func (ledgerEpochAcknowledge) Help() string {
	return `An epoch begins when the stream told of positions that the database no longer has. Until what was lost is settled with
the bank and with those who were told, and acknowledged here, adashi ledger verify reports it.

  adashi ledger epoch acknowledge 2 --note "Ngozi: 3 payments repeated with the bank, members told"`
}

func (c ledgerEpochAcknowledge) Run() error {
	return visit(func(ctx context.Context, v *boot.Visit) error {
		err := store.AcknowledgeEpoch(ctx, v.Pool, c.Epoch, c.Note)
		if errors.Is(err, store.ErrNoEpoch) {
			return fmt.Errorf("no epoch %d began with a loss that is not acknowledged", c.Epoch)
		}
		if err == nil {
			fmt.Printf("Epoch %d is acknowledged.\n", c.Epoch)
		}
		return err
	})
}
