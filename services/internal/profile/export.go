package profile

import (
	"context"
	"time"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/notifications"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/vault"
)

// Export is all data that we store about a member. Times are UTC, amounts whole kobo where their name says so.
type Export struct {
	ExportedAt    time.Time              `json:"exportedAt"`
	Account       contract.Account       `json:"account"`
	BankAccount   *exportedBank          `json:"bankAccount,omitempty"`
	EarlierBanks  []exportedEarlierBank  `json:"earlierBankAccounts"`
	Files         []exportedFile         `json:"files"`
	Sessions      []exportedSession      `json:"sessions"`
	Devices       []exportedDevice       `json:"devices"`
	DeviceKeys    []exportedKey          `json:"deviceKeys"`
	Groups        []exportedGroup        `json:"groups"`
	Movements     []exportedMovement     `json:"movements"`
	Ajo           exportedAjo            `json:"ajo"`
	Notifications []exportedNotification `json:"notifications"`

	StandingOrders []exportedOrder     `json:"standingOrders"`
	Statements     []exportedStatement `json:"statements"`
	Disputes       []exportedDispute   `json:"disputes"`
	Questions      []contract.Question `json:"questions"`
}

type exportedBank struct {
	AccountName string    `json:"accountName"`
	ChangedAt   time.Time `json:"changedAt"`
}

// exportedEarlierBank is a bank account that was replaced by another.
type exportedEarlierBank struct {
	exportedBank
	BankName string `json:"bankName"`
	Number   string `json:"accountNumber"`
}

type exportedFile struct {
	ID          string    `json:"id"`
	URL         string    `json:"url"`
	Kind        string    `json:"kind"`
	ContentType string    `json:"contentType"`
	Bytes       int       `json:"bytes"`
	CreatedAt   time.Time `json:"createdAt"`
}

type exportedSession struct {
	ID         string    `json:"id"`
	Device     string    `json:"device"`
	CreatedAt  time.Time `json:"createdAt"`
	LastSeenAt time.Time `json:"lastSeenAt"`
	ExpiresAt  time.Time `json:"expiresAt"`
}

// exportedDevice is a device that a login came from.
type exportedDevice struct {
	Device      string    `json:"device"`
	FirstSeenAt time.Time `json:"firstSeenAt"`
}

// exportedKey is the key of a device that watches the ledger, or signs its owner's attestations of months.
type exportedKey struct {
	Purpose      string     `json:"purpose"` // WATCHES or SIGNS.
	PublicKey    string     `json:"publicKey"`
	Device       string     `json:"device,omitempty"`
	RegisteredAt time.Time  `json:"registeredAt"`
	RevokedAt    *time.Time `json:"revokedAt,omitempty"`
}

type exportedGroup struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Status      string    `json:"status"`
	Since       time.Time `json:"since"`
	SavingsKobo int64     `json:"savingsKobo"`
}

type exportedMovement struct {
	ID           string    `json:"id"`
	Position     int64     `json:"position"`
	Kind         string    `json:"kind"`
	AmountKobo   int64     `json:"amountKobo"`
	ChargeKobo   int64     `json:"chargeKobo"`
	BalanceKobo  int64     `json:"balanceKobo"`
	At           time.Time `json:"at"`
	Reference    string    `json:"reference"`
	GroupID      string    `json:"groupId,omitempty"`
	SubAccountID string    `json:"subAccountId,omitempty"`
}

type exportedNotification struct {
	ID         string    `json:"id"`
	Type       string    `json:"type"`
	At         time.Time `json:"at"`
	IsRead     bool      `json:"isRead"`
	AmountKobo int64     `json:"amountKobo,omitempty"`
	GroupID    string    `json:"groupId,omitempty"`
	EventID    string    `json:"eventId"`
}

// exportPage limits how much is read at once.
const exportPage = 1000

// Export returns all data that we store about a member.
func (s *Service) Export(ctx context.Context, userID string) (Export, error) {
	out := Export{
		ExportedAt: s.Now().UTC(), Files: []exportedFile{}, EarlierBanks: []exportedEarlierBank{}, Sessions: []exportedSession{}, Groups: []exportedGroup{},
		Movements: []exportedMovement{}, Notifications: []exportedNotification{},
	}
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return out, err
	}
	r, err := s.Vault.Read(ctx, userID)
	if err != nil {
		return out, err
	}
	ajo, err := s.hasAjoAccess(ctx, userID)
	if err != nil {
		return out, err
	}
	out.Account = s.view(m, r, ajo)
	if r.Bank.Number != "" {
		out.BankAccount = &exportedBank{r.Bank.AccountName, r.Bank.ChangedAt}
	}
	for _, b := range r.EarlierBanks {
		out.EarlierBanks = append(out.EarlierBanks, exportedEarlierBank{exportedBank{b.AccountName, b.ChangedAt}, b.Name, b.Number})
	}
	for _, part := range []func(context.Context, string, *Export) error{
		s.exportFiles, s.exportSessions, s.exportKeys, s.exportGroups, s.exportMovements, s.exportAjo, s.exportNotifications, s.exportOrders, s.exportStatements,
		s.exportDisputes, s.exportQuestions,
	} {
		if err := part(ctx, userID, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// exportQuestions adds the questions and answers about the member's payments, as the member sees them.
func (s *Service) exportQuestions(ctx context.Context, userID string, out *Export) (err error) {
	out.Questions, err = s.Asked(ctx, userID)
	return err
}

func (s *Service) exportFiles(ctx context.Context, userID string, out *Export) error {
	list, err := s.Vault.Files(ctx, userID)
	out.Files = mapped(list, func(f vault.File) exportedFile {
		return exportedFile{f.ID, fileURL + f.ID, f.Kind, f.ContentType, f.Bytes, f.CreatedAt.UTC()}
	})
	return err
}

func (s *Service) exportSessions(ctx context.Context, userID string, out *Export) error {
	list, err := s.People.OpenSessions(ctx, userID)
	out.Sessions = mapped(list, func(o people.OpenSession) exportedSession {
		return exportedSession{o.ID, o.Device, o.Began.UTC(), o.LastSeen.UTC(), o.Until.UTC()}
	})
	if err != nil {
		return err
	}
	met, err := s.People.MetDevices(ctx, userID)
	out.Devices = mapped(met, func(d people.MetDevice) exportedDevice { return exportedDevice{d.Device, d.FirstSeen.UTC()} })
	return err
}

func (s *Service) exportKeys(ctx context.Context, userID string, out *Export) error {
	out.DeviceKeys = []exportedKey{}
	state, err := s.Ledger.Load(ctx, account.Stream(userID))
	if err != nil {
		return err
	}
	a := state.(account.Account)
	for _, of := range []struct {
		purpose string
		keys    []account.DeviceKey
	}{{"WATCHES", a.WitnessKeys}, {"SIGNS", a.AttestKeys}} {
		for _, k := range of.keys {
			one := exportedKey{Purpose: of.purpose, PublicKey: k.Public, RegisteredAt: k.Since.UTC()}
			if k.Device != nairav1.DeviceKind_DEVICE_KIND_UNSPECIFIED {
				one.Device = account.Named(k.Device)
			}
			if k.Revoked {
				one.RevokedAt = new(k.RevokedAt.UTC())
			}
			out.DeviceKeys = append(out.DeviceKeys, one)
		}
	}
	return nil
}

func (s *Service) exportGroups(ctx context.Context, userID string, out *Export) error {
	list, err := groups.OfUser(ctx, s.Pool, userID)
	if err != nil {
		return err
	}
	ids := mapped(list, func(g groups.Group) string { return g.ID })
	members, err := groups.Members(userID, ids...).Read(ctx, s.Pool)
	if err != nil {
		return err
	}
	paid, err := groups.Contributors(userID, ids...).Read(ctx, s.Pool)
	if err != nil {
		return err
	}
	for _, g := range list {
		one := exportedGroup{ID: g.ID, Name: g.Name}
		for _, m := range members {
			if m.GroupID == g.ID {
				one.Status, one.Since = m.Status, m.Since.UTC()
			}
		}
		for _, p := range paid {
			if p.GroupID == g.ID {
				one.SavingsKobo += int64(p.Savings())
			}
		}
		out.Groups = append(out.Groups, one)
	}
	return nil
}

func (s *Service) exportMovements(ctx context.Context, userID string, out *Export) error {
	for before := int64(0); ; {
		page, err := activity.Page(ctx, s.Pool, userID, activity.Filter{}, before, exportPage)
		if err != nil || len(page) == 0 {
			return err
		}
		out.Movements = append(out.Movements, mapped(page, func(m activity.Movement) exportedMovement {
			return exportedMovement{
				m.ID.String(), m.Pos, m.Kind, int64(m.Amount), int64(m.Charge), int64(m.Balance), m.EffectiveAt.UTC(), m.Reference, m.GroupID, m.SubAccountID,
			}
		})...)
		before = page[len(page)-1].Pos
	}
}

func (s *Service) exportNotifications(ctx context.Context, userID string, out *Export) error {
	for before := int64(0); ; {
		page, err := notifications.Page(ctx, s.Pool, userID, before, exportPage)
		if err != nil || len(page) == 0 {
			return err
		}
		out.Notifications = append(out.Notifications, mapped(page, func(n notifications.Notification) exportedNotification {
			return exportedNotification{n.ID.String(), n.Type, n.CreatedAt.UTC(), n.Read, int64(n.Amount), n.GroupID, n.EventID.String()}
		})...)
		before = page[len(page)-1].Pos
	}
}

// mapped is never nil.
func mapped[A, B any](list []A, f func(A) B) []B {
	out := make([]B, 0, len(list))
	for _, a := range list {
		out = append(out, f(a))
	}
	return out
}
