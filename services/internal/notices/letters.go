package notices

import (
	"context"
	"errors"
	"slices"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/projections/notifications"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/usecase"
)

const (
	lettersAtOnce = 100
	// lettersFor is how old a thing may be to be written about: history that is filled in is no news.
	lettersFor = 24 * time.Hour
)

// BeginLetters has letters begin with what is told from now on, unless they began before. It comes before serving.
func (s *Service) BeginLetters(ctx context.Context) error {
	pos, err := s.lettersAt(ctx)
	if err != nil {
		return err
	}
	// An older build wrote of payments at once: their digests begin where its letters ended.
	return mail.BeginDigests(ctx, s.Pool, pos)
}

func (s *Service) lettersAt(ctx context.Context) (int64, error) {
	now, err := notifications.Standing(ctx, s.Pool)
	if err != nil {
		return 0, err
	}
	return s.Vault.Mailed(ctx, now)
}

// lettersJob goes through what members were told. A letter that cannot be written is tried again for a day.
func (s *Service) lettersJob() items.Job {
	job := s.Job("mail notifications")
	job.GiveUp, job.Always = 24*time.Hour, true
	return job
}

// MailNotifications queues letters about what members were told since it last ran, as their settings want it, and tries
// again those that could not be written. Payments that officials are told of come in digests. It is a job, and
// at-least-once: cut short, it writes about the last few again.
func (s *Service) MailNotifications(ctx context.Context) error {
	failures := []error{s.mailAgain(ctx)}
	pos, err := s.lettersAt(ctx)
	if err != nil {
		return errors.Join(append(failures, err)...)
	}
	for {
		told, err := notifications.After(ctx, s.Pool, pos, lettersAtOnce)
		if err != nil || len(told) == 0 {
			return errors.Join(append(failures, err)...)
		}
		told = slices.DeleteFunc(told, func(one notifications.Told) bool {
			pos = one.Pos
			return s.Now().Sub(one.CreatedAt) > lettersFor
		})
		err = items.Each(ctx, s.lettersJob(), told, toldID, s.mailOne)
		failures = append(failures, err)
		if errors.Is(err, items.ErrNotNoted) {
			return errors.Join(failures...) // They are come to again.
		}
		if err := s.Vault.SetMailed(ctx, pos); err != nil {
			return errors.Join(append(failures, err)...)
		}
	}
}

func toldID(one notifications.Told) string { return one.ID.String() }

// mailAgain writes the letters whose time has come again.
func (s *Service) mailAgain(ctx context.Context) error {
	due, err := s.lettersJob().Due(ctx, lettersAtOnce)
	if err != nil || len(due) == 0 {
		return err
	}
	ids := make([]string, len(due))
	for n, d := range due {
		ids[n] = d.Item
	}
	told, err := notifications.Of(ctx, s.Pool, ids)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.lettersJob(), told, toldID, s.mailOne)
}

func (s *Service) mailOne(ctx context.Context, told notifications.Told) error {
	email, name, err := s.reachable(ctx, told.User, told.Type)
	if err != nil || email == "" {
		return err
	}
	views, err := s.notices(ctx, told.User, []notifications.Notification{told.Notification})
	if err != nil {
		return err
	}
	return mail.Queue(ctx, s.Pool, s.letter(told.Notification, views[0].Data, email, name), s.Now())
}

// reachable is where a member wants letters of a type; empty where they do not.
func (s *Service) reachable(ctx context.Context, user, typ string) (email, name string, err error) {
	unwanted, err := s.Settings.Unmailed(ctx, user)
	if err != nil || slices.Contains(unwanted, typ) {
		return "", "", err
	}
	return s.People.EmailOf(ctx, user)
}

// letter is a notification as the letter that tells of it.
func (s *Service) letter(n notifications.Notification, data NotificationData, email, name string) mail.Message {
	link := s.PublicURL + data.Link
	switch n.Type {
	case notifications.WalletFunded:
		return mail.MoneyReceived(email, name, mail.Receipt{
			Amount: n.Amount.String(), With: usecase.ChannelWords[n.Detail], When: lagos.Clock(n.CreatedAt) + " (Lagos)",
			Reference: n.EventID.String(), Link: link,
		})
	case notifications.BvnVerified, notifications.BvnFailed:
		return mail.BVNResult(email, name, n.Type == notifications.BvnVerified, bvnFailures[n.Detail], link)
	default:
		return mail.Notice(email, name, data.Title, data.Body, link)
	}
}

const (
	failedShown = 20
	failedKept  = 30 * 24 * time.Hour
)

// Letters is how many letters wait, fail and were given up, and what stopped the last, without anybody's address.
func (s *Service) Letters(ctx context.Context) (Letters, error) {
	counts, err := mail.Count(ctx, s.Pool)
	if err != nil {
		return Letters{}, err
	}
	refused, err := mail.LastFailed(ctx, s.Pool, failedShown)
	if err != nil {
		return Letters{}, err
	}
	var (
		unwritten items.Count
		failing   []items.Failing
	)
	for _, job := range []items.Job{s.lettersJob(), s.digestsJob()} {
		count, err := job.Count(ctx)
		if err != nil {
			return Letters{}, err
		}
		last, err := job.Last(ctx, failedShown)
		if err != nil {
			return Letters{}, err
		}
		unwritten.Failing, unwritten.GivenUp, failing = unwritten.Failing+count.Failing, unwritten.GivenUp+count.GivenUp, append(failing, last...)
	}
	out := Letters{
		Waiting: counts.Queued + unwritten.Failing, Failed: counts.Failed + unwritten.Failing, GivenUp: counts.GivenUp + unwritten.GivenUp,
		Last: make([]FailedLetter, 0, len(refused)+len(failing)),
	}
	for _, f := range refused {
		out.Last = append(out.Last, FailedLetter{About: f.About, Reason: f.Reason, Attempts: f.Attempts, CreatedAt: f.CreatedAt, NextTry: f.NextTry})
	}
	for _, f := range failing {
		out.Last = append(out.Last, FailedLetter{About: "not written yet", Reason: f.Reason, Attempts: f.Tries, CreatedAt: f.Since, NextTry: f.NextTry})
	}
	slices.SortStableFunc(out.Last, func(x, y FailedLetter) int { return y.CreatedAt.Compare(x.CreatedAt) })
	out.Last = out.Last[:min(len(out.Last), failedShown)]
	return out, nil
}

// TryLettersAgain has every letter that failed or was given up tried at once.
func (s *Service) TryLettersAgain(ctx context.Context) error {
	return errors.Join(s.lettersJob().TryAgain(ctx), s.digestsJob().TryAgain(ctx), mail.TryAgain(ctx, s.Pool, s.Now()))
}

// PruneLetters forgets letters that are a month old, written or not. It is a job.
func (s *Service) PruneLetters(ctx context.Context) error {
	before := s.Now().Add(-failedKept)
	return errors.Join(mail.Prune(ctx, s.Pool, s.Now()), s.lettersJob().Forget(ctx, before), s.digestsJob().Forget(ctx, before))
}
