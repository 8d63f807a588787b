package notices

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

const (
	lettersAtOnce = 500
	// lettersFor is how long ago a thing may have been recorded to be written about, when letters were last queued.
	// From which day it counts does not matter: a bank may tell of a transfer days later, and a correction is news.
	lettersFor = 24 * time.Hour
	noted      = 5 * time.Second // The longest that it may take to note how far they are.
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
	return items.InTurn(ctx, s.Pool, mail.Writing, func() error { return s.mailNotifications(ctx) })
}

func (s *Service) mailNotifications(ctx context.Context) error {
	failures := []error{s.mailAgain(ctx)}
	pos, err := s.lettersAt(ctx)
	if err != nil {
		return errors.Join(append(failures, err)...)
	}
	began := s.Now()
	last, err := s.Vault.Queued(ctx, began)
	if err != nil {
		return errors.Join(append(failures, err)...)
	}
	for {
		told, err := notifications.After(ctx, s.Pool, pos, lettersAtOnce)
		if err == nil && len(told) == 0 {
			err = s.Vault.SetQueued(ctx, began)
		}
		if err != nil || len(told) == 0 {
			return errors.Join(append(failures, err)...)
		}
		told = slices.DeleteFunc(told, func(one notifications.Told) bool {
			pos = one.Pos
			return last.Sub(one.RecordedAt) > lettersFor
		})
		err = items.Together(ctx, s.lettersJob(), told, toldID, s.mailAll, s.mailOne)
		failures = append(failures, err)
		if errors.Is(err, items.ErrNotNoted) {
			return errors.Join(failures...) // They are come to again.
		}
		if err := s.setMailed(ctx, pos); err != nil {
			return errors.Join(append(failures, err)...)
		}
	}
}

// setMailed notes how far letters are queued, even where the run's time is over meanwhile: they are not queued again.
func (s *Service) setMailed(ctx context.Context, pos int64) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noted)
	defer cancel()
	return s.Vault.SetMailed(ctx, pos)
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
	return s.mailAll(ctx, []notifications.Told{told})
}

// mailAll queues the letters about some things that members were told, all of them or none.
func (s *Service) mailAll(ctx context.Context, told []notifications.Told) error {
	users := make([]string, len(told))
	for n, one := range told {
		users[n] = one.User
	}
	slices.Sort(users)
	reached, err := s.reachable(ctx, slices.Compact(users)...)
	if err != nil {
		return err
	}
	told = slices.DeleteFunc(slices.Clone(told), func(one notifications.Told) bool { return !reached.wants(one.User, one.Type) })
	if len(told) == 0 {
		return nil
	}
	views, err := s.inWords(ctx, told)
	if err != nil {
		return err
	}
	letters := make([]mail.Message, 0, len(told))
	for n, one := range told {
		for _, address := range reached.addresses(one.User, one.Type) {
			letter := Letter(s.PublicURL, one.Notification, views[n].Data, address)
			letter.About = named(one.Notification)
			letters = append(letters, letter)
		}
	}
	return mail.QueueAll(ctx, s.Pool, letters, s.Now())
}

// named are the members whom a notification names.
func named(one notifications.Notification) (users []string) {
	if one.About != "" {
		users = append(users, one.About)
	}
	if one.Type == told.PaymentReceived && one.Detail != "" {
		users = append(users, one.Detail) // Whom it was paid for.
	}
	return users
}

// reach is where members are written to, and of which types they want no letters.
type reach struct {
	at       map[string]people.Address
	earlier  map[string][]people.Address // Those of the last 90 days.
	unwanted map[string][]string
}

func (r reach) wants(user, typ string) bool {
	return r.at[user].Email != "" && !slices.Contains(r.unwanted[user], typ)
}

// addresses are where a member is written to about a type.
func (r reach) addresses(user, typ string) []people.Address {
	to := []people.Address{r.at[user]}
	if told.AtEarlier(typ) {
		to = append(to, r.earlier[user]...)
	}
	return to
}

func (s *Service) reachable(ctx context.Context, users ...string) (r reach, err error) {
	if r.unwanted, err = s.Settings.Unmailed(ctx, users...); err != nil {
		return r, err
	}
	if r.at, err = s.People.Addresses(ctx, users...); err != nil {
		return r, err
	}
	r.earlier, err = s.People.Earlier(ctx, users...)
	return r, err
}

// Letter is a notification as the letter that tells of it. site is our public address.
func Letter(site string, n notifications.Notification, data NotificationData, to people.Address) mail.Message {
	link := site + data.Link
	switch n.Type {
	case told.WalletFunded:
		if n.GroupID != "" {
			return mail.Notice(to.Email, to.FirstName, data.Title, data.Body, link)
		}
		return mail.MoneyReceived(to.Email, to.FirstName, mail.Receipt{
			Amount: n.Amount.String(), With: usecase.ChannelWords[n.Detail], When: lagos.Clock(n.CreatedAt) + " (Lagos)",
			Reference: n.EventID.String(), Link: link,
		})
	case told.BvnVerified, told.BvnFailed:
		return mail.BVNResult(to.Email, to.FirstName, n.Type == told.BvnVerified, bvnFailures[n.Detail], link)
	case told.SecurityAlert: // Records were lost, or a device signs.
		if strings.HasPrefix(n.Detail, notifications.RecordsLost) {
			return mail.Notice(to.Email, to.FirstName, data.Title, data.Body, link)
		}
		return mail.SecurityAlert(to.Email, to.FirstName, data.Title, "It signs in your name what you attest of closed months. If it was not you, turn it off under Security.",
			lagos.Clock(n.CreatedAt)+" (Lagos)", site+"/send_forgot_password_mail")
	default:
		return mail.Notice(to.Email, to.FirstName, data.Title, data.Body, link)
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
