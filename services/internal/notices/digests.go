package notices

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// DigestEvery is how often, at most, owners and validators are written to about payments.
const DigestEvery = 10 * time.Minute

const (
	digestsAtOnce = 100
	newestNamed   = 5
	linesMost     = 20
)

// digestsJob goes through the officials who are to be written to. A letter that cannot be written is tried again for a
// day.
func (s *Service) digestsJob() items.Job {
	job := s.Job("mail payments")
	job.GiveUp, job.Always = 24*time.Hour, true
	return job
}

// MailPayments queues one letter to each owner and validator about the payments that they were told of since the last.
// It is a job. Payments are added up in the database, and each is written about once.
func (s *Service) MailPayments(ctx context.Context) error {
	return items.InTurn(ctx, s.Pool, mail.Writing, func() error { return s.mailPayments(ctx) })
}

func (s *Service) mailPayments(ctx context.Context) error {
	now := s.Now()
	known, err := notifications.Standing(ctx, s.Pool)
	if err != nil {
		return err
	}
	return errors.Join(
		mail.PruneDigests(ctx, s.Pool, now.Add(-lettersFor)),
		mail.Gather(ctx, s.Pool, mail.Gathering{Totals: notifications.Totals, To: known, Now: now, Since: now.Add(-lettersFor), Every: DigestEvery}),
		items.EachOf(ctx, s.digestsJob(), items.Pages[mail.Recipient, string]{
			Most: digestsAtOnce, At: func(r mail.Recipient) string { return r.User }, Key: digestID,
			Read: func(after string, most int) ([]mail.Recipient, error) {
				return mail.Recipients(ctx, s.Pool, after, most)
			},
		}, s.mailDigest),
	)
}

// digestID names what somebody is written to about: after a digest was given up, the next is another.
func digestID(r mail.Recipient) string { return r.User + " " + strconv.FormatInt(r.First, 10) }

// mailDigest reads all that the letter says before it takes the digest out: the transaction holds one connection.
func (s *Service) mailDigest(ctx context.Context, r mail.Recipient) error {
	reached, err := s.reachable(ctx, r.User)
	if err != nil {
		return err
	}
	paid, err := mail.DigestFor(ctx, s.Pool, r.User)
	if err != nil || len(paid) == 0 {
		return err
	}
	if !reached.wants(r.User, told.PaymentReceived) {
		return mail.QueueDigest(ctx, s.Pool, r.User, paid, nil, s.Now())
	}
	letter, err := s.digest(ctx, r.User, paid, reached.at[r.User])
	if err != nil {
		return err
	}
	return mail.QueueDigest(ctx, s.Pool, r.User, paid, &letter, s.Now())
}

// digest is the letter about what came into sub-accounts.
func (s *Service) digest(ctx context.Context, user string, paid []mail.Paid, to people.Address) (mail.Message, error) {
	var groupIDs, subIDs []string
	sum, groups := paid[0], map[string]struct{}{}
	sum.Payments = 0
	for _, p := range paid {
		groupIDs, subIDs = append(groupIDs, p.GroupID), append(subIDs, p.SubAccountID)
		groups[p.GroupID] = struct{}{}
		sum.Payments, sum.First, sum.Last = sum.Payments+p.Payments, min(sum.First, p.First), max(sum.Last, p.Last)
		if p.GatheredAt.Before(sum.GatheredAt) {
			sum.GatheredAt = p.GatheredAt
		}
	}
	newest, err := notifications.Payments(ctx, s.Pool, user, sum.First, sum.Last, sum.GatheredAt.Add(-lettersFor), int(min(newestNamed, sum.Payments)))
	if err != nil {
		return mail.Message{}, err
	}
	views, err := s.notices(ctx, user, newest)
	if err != nil {
		return mail.Message{}, err
	}
	var about []string
	for _, one := range newest {
		about = append(about, named(one)...)
	}
	if sum.Payments == 1 && len(newest) == 1 {
		letter := Letter(s.PublicURL, newest[0], views[0].Data, to)
		letter.About = about
		return letter, nil
	}
	names, err := s.Names(ctx, groupIDs, subIDs)
	if err != nil {
		return mail.Message{}, err
	}
	d := mail.Digest{Payments: sum.Payments, Groups: int64(len(groups)), Lines: lines(paid, names), Link: s.PublicURL + "/dashboard/notifications"}
	if len(groups) == 1 {
		d.Group, d.Link = names.Groups[sum.GroupID].Name, s.PublicURL+"/savings/"+sum.GroupID+"/audit"
	}
	for _, v := range views {
		d.Newest = append(d.Newest, v.Data.Body)
	}
	letter := mail.Payments(to.Email, to.FirstName, d)
	letter.About = about
	return letter, nil
}

// lines are what came into each sub-account, and into the others together when they are many.
func lines(paid []mail.Paid, names usecase.Names) (all []mail.DigestLine) {
	var others mail.Paid
	for i, p := range paid {
		if i < linesMost {
			all = append(all, mail.DigestLine{Where: names.Sub(p.GroupID, p.SubAccountID), What: inAll(p)})
			continue
		}
		others.Payments, others.Kobo = others.Payments+p.Payments, others.Kobo+p.Kobo
	}
	if others.Payments > 0 {
		all = append(all, mail.DigestLine{Where: "Other sub-accounts", What: inAll(others)})
	}
	return all
}

func inAll(p mail.Paid) string {
	payments := "1 payment"
	if p.Payments != 1 {
		payments = fmt.Sprint(p.Payments, " payments")
	}
	return payments + ", " + money.Kobo(p.Kobo).String()
}
