package main

import (
	"fmt"
	"time"

	"adashi.ng/services/internal/clocks"
	"adashi.ng/services/internal/config"
)

// clockCommand is what an operator can say of the machine's clock.
type clockCommand struct {
	Confirm confirmClock `cmd:"" help:"Say that the machine's clock is right. Nothing is recorded and no job runs after it jumped, or while it is behind the last event, until you do. Look at another clock first: what is recorded by a wrong time stays."`
}

type confirmClock struct{}

func (confirmClock) Run() error {
	cfg, err := config.Load()
	if err != nil {
		return err
	}
	at, err := clocks.Confirm(cfg)
	if err != nil {
		return err
	}
	fmt.Println("Confirmed: it is", at.Format(time.RFC3339)+". The adashi that runs on", cfg.Data, "goes by that within a second.")
	return nil
}
