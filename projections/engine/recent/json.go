package recent

import (
	"encoding/json"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"adashi.ng/ledger/event"
)

// JSON writes a record for people: its columns, its body as protobuf's JSON, or as base64 when this build cannot
// read it, and its lines with amounts in kobo.
func JSON(r event.Record) (json.RawMessage, error) {
	type line struct {
		Account     string `json:"account"`
		AmountKobo  int64  `json:"amountKobo"`
		BalanceKobo int64  `json:"balanceKobo"`
	}
	shown := struct {
		Position    int64           `json:"position"`
		Stream      string          `json:"stream"`
		Version     int64           `json:"version"`
		Type        string          `json:"type"`
		Command     string          `json:"command"`
		Actor       string          `json:"actor"`
		Correlation string          `json:"correlation"`
		EffectiveAt time.Time       `json:"effectiveAt"`
		RecordedAt  time.Time       `json:"recordedAt"`
		Body        json.RawMessage `json:"body"`
		Unreadable  string          `json:"unreadable,omitempty"` // Why the body is bytes.
		Lines       []line          `json:"lines"`
	}{r.Pos, r.Stream, r.Version, r.Type, r.Command.String(), r.Actor, r.Correlation, r.EffectiveAt, r.RecordedAt, nil, "", []line{}}
	for _, l := range r.Lines {
		shown.Lines = append(shown.Lines, line{l.Account, int64(l.Amount), int64(l.Balance)})
	}
	m, err := r.Message()
	if err == nil {
		shown.Body, err = protojson.Marshal(m)
	}
	if err != nil {
		shown.Unreadable = err.Error()
		if shown.Body, err = json.Marshal(r.Body); err != nil {
			return nil, err
		}
	}
	return json.Marshal(shown)
}
