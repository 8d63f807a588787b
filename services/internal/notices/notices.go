package notices

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// Notifications is a page of what a member was told, newest first.
func (s *Service) Notifications(ctx context.Context, user string, before *string, limit int) (NotificationPage, error) {
	page := NotificationPage{Notifications: []Notification{}}
	pos, err := usecase.Cursor(before)
	if err != nil {
		return page, err
	}
	hidden, err := s.hidden(ctx, user)
	if err != nil {
		return page, err
	}
	rows, err := notifications.Page(ctx, s.Pool, user, pos, limit+1, hidden...)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		last := rows[limit-1].Pos // What one event told is on one page.
		rows = slices.DeleteFunc(rows, func(n notifications.Notification) bool { return n.Pos < last })
		page.Next = usecase.OrNil(strconv.FormatInt(last, 10))
	}
	if page.Unread, err = notifications.Unread(ctx, s.Pool, user, hidden...); err != nil {
		return page, err
	}
	views, err := s.notices(ctx, user, rows)
	page.Notifications = views
	return page, err
}

// hidden are the types that the user does not want to hear of.
func (s *Service) hidden(ctx context.Context, user string) ([]string, error) {
	if s.Settings == nil {
		return nil, nil
	}
	return s.Settings.Hidden(ctx, user)
}

// Unread counts the notifications that wait to be read, up to notifications.UnreadMost.
func (s *Service) Unread(ctx context.Context, user string) (int, error) {
	hidden, err := s.hidden(ctx, user)
	if err != nil {
		return 0, err
	}
	return notifications.Unread(ctx, s.Pool, user, hidden...)
}

// Notification is one of them.
func (s *Service) Notification(ctx context.Context, user, id string) (Notification, error) {
	id, err := usecase.ParseID(id, "notification")
	if err != nil {
		return Notification{}, err
	}
	row, err := notifications.One(ctx, s.Pool, user, uuid.MustParse(id))
	if err != nil {
		return Notification{}, usecase.NotThere(err, notifications.ErrNone, "notification")
	}
	views, err := s.notices(ctx, user, []notifications.Notification{row})
	if err != nil {
		return Notification{}, err
	}
	return views[0], nil
}

// ReadNotification marks one read.
func (s *Service) ReadNotification(ctx context.Context, user, id string) error {
	id, err := usecase.ParseID(id, "notification")
	if err != nil {
		return err
	}
	return usecase.NotThere(notifications.MarkRead(ctx, s.Pool, user, uuid.MustParse(id), s.Now()), notifications.ErrNone, "notification")
}

// MarkAllRead marks all of a member's notifications read.
func (s *Service) MarkAllRead(ctx context.Context, user string) error {
	return notifications.MarkAllRead(ctx, s.Pool, user, s.Now())
}

// Clear takes all of a member's notifications away.
func (s *Service) Clear(ctx context.Context, user string) error {
	return notifications.Clear(ctx, s.Pool, user, s.Now())
}

// notices says what a member was told.
func (s *Service) notices(ctx context.Context, user string, rows []notifications.Notification) ([]Notification, error) {
	told := make([]notifications.Told, len(rows))
	for n, r := range rows {
		told[n] = notifications.Told{Notification: r, User: user}
	}
	return s.inWords(ctx, told)
}

// inWords says what members were told.
func (s *Service) inWords(ctx context.Context, rows []notifications.Told) ([]Notification, error) {
	var users, groupIDs, subIDs []string
	for _, r := range rows {
		groupIDs, subIDs = append(groupIDs, r.GroupID), append(subIDs, r.SubAccountID)
		users = append(users, named(r.Notification)...)
	}
	cards, err := s.People.Cards(ctx, users)
	if err != nil {
		return nil, err
	}
	n, err := s.Names(ctx, groupIDs, subIDs)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.Type != told.MemberInvited {
			continue
		}
		inviter, err := s.AccountState(ctx, r.About)
		if err != nil {
			return nil, err
		}
		n.Verified[r.About] = inviter.Bvn == account.Verified
	}
	var subjects []string
	for _, r := range rows {
		if strings.HasPrefix(r.Type, "ajo_") {
			subjects = append(subjects, r.Subject)
		}
	}
	ajoNames, err := ajos.Names(ctx, s.Pool, subjects)
	if err != nil {
		return nil, err
	}
	out := []Notification{}
	for _, r := range rows {
		data := Sentence(r, cards, n, cmp.Or(ajoNames[r.Subject], "your ajo"))
		data.EventId, data.GroupId = r.EventID.String(), usecase.OrNil(r.GroupID)
		if r.Amount > 0 {
			data.Amount = usecase.NairaPtr(r.Amount)
		}
		out = append(out, Notification{
			Id: r.ID.String(), Type: NotificationType(r.Type), DateCreated: r.CreatedAt.UTC(), IsRead: r.Read, Data: data,
		})
	}
	return out, nil
}

// Sentence says a notification in words to its recipient. name is that of its ajo. docs/told.md has each sentence.
func Sentence(r notifications.Told, cards map[string]people.Card, n usecase.Names, name string) NotificationData {
	if data, ofAjo := ajoLife(r.Notification, usecase.FullName(cards, r.About), name, words); ofAjo {
		return data
	}
	return sentence(r.Notification, r.User, cards, n)
}

// reversed says that money went back: a payment's to the bank, or a contribution's to its member's wallet.
func reversed(r notifications.Notification, who string, n usecase.Names, say func(title, body, link string) NotificationData) NotificationData {
	if debt, is := debtNotice(r, say); is {
		return debt
	}
	switch {
	case r.GroupID == "":
		return say("Payment reversed", "The bank took back "+r.Amount.String()+" that you had paid in. "+r.Detail, "/dashboard/activity/"+r.EventID.String())
	case r.About == "":
		return say("Contribution reversed", r.Amount.String()+" that you paid to "+n.Sub(r.GroupID, r.SubAccountID)+" is back in your wallet. "+r.Detail, "/dashboard/activity/"+r.EventID.String())
	default:
		return say("Contribution reversed", r.Amount.String()+" that "+who+" paid to "+n.Sub(r.GroupID, r.SubAccountID)+" went back to them. "+r.Detail, audited(r))
	}
}

// withdrawalNotice says that a withdrawal is back in the wallet: the bank did not pay it, or sent it back later.
func withdrawalNotice(r notifications.Notification, say func(title, body, link string) NotificationData) NotificationData {
	page := "/dashboard/activity/" + r.EventID.String()
	if reason, sentBack := strings.CutPrefix(r.Detail, notifications.CameBack); sentBack {
		return say("Your withdrawal came back", "The bank sent it back. "+r.Amount.String()+" is in your wallet again, the charges too."+reason, page)
	}
	return say("Withdrawal not paid", r.Amount.String()+" is back in your wallet, the charges too. "+r.Detail, page)
}

// standingNotice says that a standing order was not paid, or that it has ended.
func standingNotice(r notifications.Notification, n usecase.Names, say func(title, body, link string) NotificationData) NotificationData {
	if r.GroupID == "" {
		return say("Standing order ended", "One of your standing orders has ended. "+r.Detail, "/dashboard/wallet/")
	}
	return say("Standing order not paid", r.Amount.String()+" was not paid to "+n.Sub(r.GroupID, r.SubAccountID)+", and your wallet is as it was. "+r.Detail, "/dashboard/wallet/")
}

// audited is where a group's officials see a payment beside its evidence.
func audited(r notifications.Notification) string {
	return "/savings/" + r.GroupID + "/audit?payment=" + r.EventID.String()
}

func words(title, body, link string) NotificationData {
	return NotificationData{Title: title, Body: body, Link: link}
}

// sentence is Sentence for what is not about an ajo or a card.
func sentence(r notifications.Notification, to string, cards map[string]people.Card, n usecase.Names) NotificationData {
	who, group := usecase.FullName(cards, r.About), n.Groups[r.GroupID].Name
	say := words
	switch page := "/savings/" + r.GroupID; r.Type {
	case told.MemberInvited, told.MemberDeactivated, told.MemberLeft, told.RoleChanged, told.VisibilityChanged, told.GroupChanged:
		return peopleNotice(r, who, n, say)
	case told.ContributionDue, told.ContributionOverdue, told.PenaltyApplied, told.PenaltyReversed, told.PenaltyWaived, told.DueWaived:
		return duesNotice(r, n, say)
	case told.AjoAccessGranted, told.AjoAccessRefused, told.AjoAccessLost:
		return ajoNotice(r, say)
	case told.DisputeOpened, told.DisputeTaken, told.DisputeAsked, told.DisputeResolved, told.DisputeLate, told.DisputeHold, told.CardDisputed, told.CardDisputeOver, told.CardAnswered, told.CardAnswerDue,
		told.MoneyFrozen, told.MoneyThawed, told.AdjustmentPaid, told.AdjustmentTaken:
		return disputeNotice(r, say)
	case told.PaymentReceived:
		if r.Detail != "" {
			return say("Payment received", who+" paid "+r.Amount.String()+" to "+n.Sub(r.GroupID, r.SubAccountID)+" for "+forWhom(r, cards)+".", audited(r))
		}
		return say("Payment received", who+" paid "+r.Amount.String()+" to "+n.Sub(r.GroupID, r.SubAccountID)+".", audited(r))
	case told.PaymentFailed:
		if r.About != "" {
			return standingNotice(r, n, say)
		}
		if r.GroupID != "" {
			return say("Contribution not taken", "Your payment of "+r.Amount.String()+" arrived, but "+n.Sub(r.GroupID, r.SubAccountID)+" could not take it. "+r.Detail+" The money is in your wallet.", "/dashboard/wallet/")
		}
		return say("Payment failed", "Your payment of "+r.Amount.String()+" did not go through, and your wallet is as it was. "+r.Detail, "/dashboard/wallet/")
	case told.PaymentReversed:
		return reversed(r, who, n, say)
	case told.WalletFunded:
		if r.GroupID != "" {
			return say("A group has closed", r.Amount.String()+" arrived in your wallet. It is your part of what was left in "+n.Sub(r.GroupID, r.SubAccountID)+".", "/dashboard/activity/"+r.EventID.String())
		}
		return say("Wallet funded", r.Amount.String()+" arrived in your wallet "+usecase.ByChannel(nairav1.Channel(nairav1.Channel_value[r.Detail]))+".", "/dashboard/activity/"+r.EventID.String())
	case told.WithdrawalPaid:
		return say("Withdrawal paid", r.Amount.String()+" is in your bank account.", "/dashboard/wallet/")
	case told.WithdrawalFailed:
		return withdrawalNotice(r, say)
	case told.MemberJoined:
		if r.Detail != "" {
			return peopleNotice(r, who, n, say)
		}
		return say("Waits for you: someone wants to join", who+" asks to join "+group+". Approve them to let them in.", page+"/members?status=PENDING&member="+r.About)
	case told.MemberApproved:
		if r.Detail != "" {
			return peopleNotice(r, who, n, say)
		}
		return say("Welcome to the group", who+" approved you. You are now a member of "+group+".", page)
	case told.ValidatorSet:
		return say("You are the validator", who+" made you the validator of "+group+". You look over every payment.", page)
	case told.GroupApproved:
		return say("Your group is active", group+" has all it needs and can take contributions.", page)
	case told.BvnVerified:
		return say("BVN verified", "Your bank has confirmed your BVN.", "/dashboard/profile")
	case told.GuardianConsented:
		return say("Your guardian has consented", "You can now pay into groups and ajo.", "/dashboard")
	case told.TierSet:
		return say("Your limits have changed", "You are at tier "+r.Detail+" now. Your profile shows how much you may keep and withdraw.", "/dashboard/profile")
	case told.AccountRemedy:
		return remedyNotice(r, n.Groups[r.GroupID].Name, say)
	case told.BvnFailed:
		return say("BVN not verified", bvnFailures[r.Detail]+" Please check your details and try again.", "/dashboard/profile/edit#bank")
	case told.SecurityAlert:
		return securityNotice(r.Detail, say)
	default:
		if data, ok := requestNotice(r, to, who, n); ok {
			return data
		}
		return say("News", group, page)
	}
}

func securityNotice(detail string, say func(title, body, link string) NotificationData) NotificationData {
	if detail == notifications.PasswordTried {
		return say("Wrong passwords", passwordsTried, "/dashboard/security")
	}
	if device, is := strings.CutPrefix(detail, notifications.AttestKey); is {
		return say("A device signs for you", AttestKeySet(device), "/dashboard/security")
	}
	if lost, is := strings.CutPrefix(detail, notifications.RecordsLost); is {
		return say("Records were lost", recordsLost(lost), "/dashboard/activity")
	}
	return say("Security alert", alerts[detail]+" If it was not you, change your password at once and contact us.", "/dashboard/security")
}

const passwordsTried = "Many wrong passwords were tried on your account, on devices that we do not know. None of them opened it. " +
	"If others could guess your password, choose another."

// AttestKeySet tells a member that one of their devices signs for them. device is PHONE, TABLET or COMPUTER.
func AttestKeySet(device string) string {
	return "A " + strings.ToLower(device) + " now signs in your name what you attest of closed months. If it was not you, turn it off " +
		"under Security, change your password at once and contact us."
}

// recordsLost tells a member what a restore of our records took. detail is how many records, and which movements.
func recordsLost(detail string) string {
	const then = " The money is with the bank as it was, and we settle each with it. Look through your last payments and tell support of any that is missing."
	records, movements, _ := strings.Cut(detail, " ")
	if records == "0" {
		return "Our records were put back to an earlier time, and what came after it is gone. We cannot tell whose it was." + then
	}
	gone := "Our records were put back to an earlier time, and one of yours that came after it is gone."
	if records != "1" {
		gone = "Our records were put back to an earlier time, and " + records + " of yours that came after it are gone."
	}
	if movements == "" {
		return gone + " No money moved in them. If you approved, refused or objected to something since, look whether it still counts." + then
	}
	var told []string
	for movement := range strings.FieldsSeq(movements) {
		told = append(told, lostMovement(movement))
	}
	return gone + " In them moved: " + strings.Join(told, "; ") + "." + then
}

// lostMovement is a movement as people read it, of its time, the kobo that came in and those that went out.
func lostMovement(text string) string {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return "and others"
	}
	at := " on " + inLagos(parts[0])
	in, _ := strconv.ParseInt(parts[1], 10, 64)
	out, _ := strconv.ParseInt(parts[2], 10, 64)
	switch {
	case in == out:
		return money.Kobo(in).String() + " paid" + at
	case in > out:
		return money.Kobo(in-out).String() + " into your wallet" + at
	default:
		return money.Kobo(out-in).String() + " out of your wallet" + at
	}
}

// bvnFailures and alerts say what their events name.
var (
	bvnFailures = map[string]string{
		nairav1.BvnFailure_BVN_FAILURE_MISMATCH.String():  "Your bank has this BVN under another name or account.",
		nairav1.BvnFailure_BVN_FAILURE_UNKNOWN.String():   "The bank knows no such BVN.",
		nairav1.BvnFailure_BVN_FAILURE_NO_ANSWER.String(): "Your bank did not answer for a day.",
	}
	alerts = map[string]string{
		nairav1.SecurityAlert_SECURITY_ALERT_PASSWORD_CHANGED.String():       "Your password was changed.",
		nairav1.SecurityAlert_SECURITY_ALERT_PASSWORD_RESET.String():         "Your password was changed by a link from your mail.",
		nairav1.SecurityAlert_SECURITY_ALERT_TOTP_ENABLED.String():           "Login codes were switched on.",
		nairav1.SecurityAlert_SECURITY_ALERT_TOTP_REMOVED.String():           "Login codes were switched off.",
		nairav1.SecurityAlert_SECURITY_ALERT_EMAIL_CHANGED.String():          "Your email was changed.",
		nairav1.SecurityAlert_SECURITY_ALERT_NEW_DEVICE.String():             "Somebody logged in from a device that we have not seen before.",
		nairav1.SecurityAlert_SECURITY_ALERT_RECOVERY_CODES_RENEWED.String(): "You got new recovery codes, and the old ones no longer work.",
		nairav1.SecurityAlert_SECURITY_ALERT_BANK_ACCOUNT_CHANGED.String():   "The bank account that you are paid to was changed.",
	}
)
