package app

import (
	"context"
	"slices"
	"time"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/savings"
	"adashi.ng/projections/notifications"
	"adashi.ng/services/internal/mail"
)

// mailed are the types of notifications that also come by mail: receipts, and what became of a payment or a BVN.
var mailed = []string{
	notifications.PaymentReceived, notifications.WalletFunded, notifications.PaymentFailed, notifications.PaymentReversed,
	notifications.WithdrawalPaid, notifications.WithdrawalFailed,
	notifications.ContributionDue, notifications.ContributionOverdue, notifications.PenaltyApplied,
	notifications.LiquidationRequested, notifications.LiquidationPaid, notifications.LiquidationRejected, notifications.LiquidationFailed, notifications.LiquidationOnHold,
	notifications.MemberInvited, notifications.MemberDeactivated, notifications.RoleChanged, notifications.GroupChanged,
	notifications.BvnVerified, notifications.BvnFailed, // A security alert is mailed by who raises it.
}

const (
	lettersAtOnce = 100
	// lettersFor is how old a thing may be to be written about: history that is filled in is no news.
	lettersFor = 24 * time.Hour
)

// BeginLetters has letters begin with what is told from now on, unless they began before. It comes before serving.
func (a *App) BeginLetters(ctx context.Context) error {
	_, err := a.lettersAt(ctx)
	return err
}

func (a *App) lettersAt(ctx context.Context) (int64, error) {
	newest, err := notifications.Newest(ctx, a.Pool)
	if err != nil {
		return 0, err
	}
	return a.Members.Mailed(ctx, newest)
}

// MailNotifications queues letters about what members were told since it last ran, as their settings want it. It is a
// job, and at-least-once: cut short, it writes about the last few again.
func (a *App) MailNotifications(ctx context.Context) error {
	pos, err := a.lettersAt(ctx)
	if err != nil {
		return err
	}
	for {
		told, err := notifications.After(ctx, a.Pool, pos, lettersAtOnce)
		if err != nil || len(told) == 0 {
			return err
		}
		for _, one := range told {
			if err := a.mailOne(ctx, one); err != nil {
				return err
			}
		}
		pos = told[len(told)-1].Pos
		if err := a.Members.SetMailed(ctx, pos); err != nil {
			return err
		}
	}
}

func (a *App) mailOne(ctx context.Context, told notifications.Told) error {
	if !slices.Contains(mailed, told.Type) || a.Now().Sub(told.CreatedAt) > lettersFor {
		return nil
	}
	unwanted, err := a.Members.Unmailed(ctx, told.User)
	if err != nil || slices.Contains(unwanted, told.Type) {
		return err
	}
	email, name, err := a.People.EmailOf(ctx, told.User)
	if err != nil || email == "" {
		return err
	}
	views, err := a.notices(ctx, told.User, []notifications.Notification{told.Notification})
	if err != nil {
		return err
	}
	return mail.Queue(ctx, a.Pool, a.letter(told.Notification, views[0].Data, email, name), a.Now())
}

// letter is a notification as the letter that tells of it.
func (a *App) letter(n notifications.Notification, data contract.NotificationData, email, name string) mail.Message {
	link := a.PublicURL + data.Link
	switch n.Type {
	case notifications.WalletFunded:
		return mail.MoneyReceived(email, name, mail.Receipt{
			Amount: n.Amount.String(), With: channels[n.Detail], When: n.CreatedAt.In(savings.Lagos).Format("2 January 2006, 15:04") + " (Lagos)",
			Reference: n.EventID.String(), Link: link,
		})
	case notifications.BvnVerified, notifications.BvnFailed:
		return mail.BVNResult(email, name, n.Type == notifications.BvnVerified, bvnFailures[n.Detail], link)
	default:
		return mail.Notice(email, name, data.Title, data.Body, link)
	}
}

// channels are where money comes from, in words.
var channels = map[string]string{
	nairav1.Channel_CHANNEL_BANK_TRANSFER.String(): "Bank transfer",
	nairav1.Channel_CHANNEL_CARD.String():          "Card",
}
