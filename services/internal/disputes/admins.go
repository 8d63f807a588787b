package disputes

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/projections/disputes"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
)

// toAdmins are the steps of a case about which we write to Admins, and the letters' texts: a deadline has passed, or
// work waits for an Admin.
var toAdmins = map[string]struct{ title, body string }{
	"TAKING_OVERDUE":       {"Nobody took a case in time", "Nobody has taken it in the time that its member was told. The member has been told that we are late."},
	"DECISION_OVERDUE":     {"A case was not decided in time", "It is not decided in the time that its member was told. The member has been told that we are late."},
	"PLAN_PROPOSED":        {"A correction waits for two Admins", "It moves money once two Admins have agreed who have no part in it. Look at its entries first."},
	"CARD_ANSWER_PROPOSED": {"An answer to a bank waits for an Admin", "It gives money back to who paid, once an Admin agrees. The bank takes answers for a short time."},
}

// lettersAtOnce limits how many steps are handled at a time.
const lettersAtOnce = 50

// TellAdmins writes to Admins about late cases and about work that waits for them, from its first run on. It is a job;
// it stores its progress together with the letters, so that it writes none twice. It does not write to an Admin about
// their own case or a step that they did.
func (s *Service) TellAdmins(ctx context.Context) error {
	admins, err := s.People.Holders(ctx, people.RoleAdmin)
	for more := true; err == nil && more; {
		err = pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
			more, err = s.tellAdmins(ctx, tx, admins)
			return err
		})
	}
	return err
}

func (s *Service) tellAdmins(ctx context.Context, tx pgx.Tx, admins map[string]people.Address) (more bool, err error) {
	var pos int64
	if err := tx.QueryRow(ctx, "SELECT pos FROM desk_letters FOR UPDATE").Scan(&pos); errors.Is(err, pgx.ErrNoRows) {
		_, err = tx.Exec(ctx, "INSERT INTO desk_letters (pos) SELECT coalesce(max(pos), 0) FROM rm_dispute_steps ON CONFLICT DO NOTHING")
		return false, err
	} else if err != nil {
		return false, err
	}
	steps, err := disputes.StepsAfter(ctx, tx, pos, slices.Collect(maps.Keys(toAdmins)), lettersAtOnce)
	if err != nil || len(steps) == 0 {
		return false, err
	}
	var letters []mail.Message
	for _, step := range steps {
		says := toAdmins[step.Kind]
		for id, to := range admins {
			if id != step.User && id != step.By {
				letters = append(letters, mail.Notice(to.Email, to.FirstName, says.title+": "+rules.Number(step.Dispute), says.body, s.PublicURL+"/support/"+step.Dispute))
			}
		}
	}
	if len(letters) > 0 {
		if err := mail.QueueAll(ctx, tx, letters, s.Now()); err != nil {
			return false, err
		}
	}
	_, err = tx.Exec(ctx, "UPDATE desk_letters SET pos = $1", steps[len(steps)-1].Pos)
	return len(steps) == lettersAtOnce, err
}
