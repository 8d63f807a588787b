package town

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
)

// hint puts right what a command's body cannot be guessed from: a price that is quoted, a code of a letter, the truth
// about oneself. It answers false where the command makes no sense now.
type hint func(ctx context.Context, w *wish) (bool, error)

// hints are by the command's name.
var hints = map[string]hint{
	"joinGroupSavings":          joins,
	"bvnLookUp":                 trueBvn,
	"updateUserInfo":            trueDetails,
	"updateUserSettings":        says("settings", map[string]any{"inApp": true, "email": true, "mutedInApp": []string{}, "mutedEmail": []string{}}),
	"withdraw":                  quoted("/api/v1/wallet/withdrawals/quote", "amount"),
	"requestLiquidation":        liquidates,
	"quoteLiquidation":          liquidates,
	"createGroupSavings":        says("amount", 5000, "memberCapacity", 20, "monthlyDues", true),
	"createSubAccount":          opensSubAccount,
	"addGroupMember":            writesTo("email"),
	"lookUpMember":              writesTo("email"),
	"setMemberTier":             looksUp,
	"proposeUnmatched":          writesTo("email"),
	"proposeReturn":             sentBack,
	"setAjoCollector":           namesCollector,
	"createAjo":                 createsAjo,
	"previewAjo":                createsAjo,
	"changeAjoTerms":            createsAjo,
	"joinAjo":                   joinsAjo,
	"takeAjoPlace":              joinsAjo,
	"acceptAjoTerms":            joinsAjo,
	"changePassword":            anotherPassword,
	"changeEmail":               never, // The town knows people by their address.
	"resetPassword":             fromLetter("/forgot_password?token="),
	"verifyEmail":               fromLetter("/verifyMail?token="),
	"confirmEmail":              fromLetter("/confirm-email?token="),
	"consent":                   fromLetter("/guardian-consent?token="),
	"register":                  registers,
	"getToken":                  ownPassword,
	"stepUp":                    ownPassword,
	"sendSavingsInvitationLink": writesTo("emails"),
	"sendAjoInvitationLink":     writesTo("emails"),
	"createStandingOrder":       says("consent", true),
	"validateLiquidation":       validates,
	"uploadFile":                uploads("kind", "document"),
	"saveGroupDocument":         uploads("name", "Rules of the group"),
	"voteSuccession":            candidate,
	"verifyTransaction":         reference,
	"makePayment":               reference,
	"payAjo":                    paysAjo,
	"makePaymentWithWallet":     paysGroup,
	"subAccountPayment":         paysGroup,
	"generateReference":         paysGroup,
	"fundWallet":                withoutCard,
	"saveUtilityBill":           uploadsFirst("document"),
	"saveBankStatement":         uploadsFirst("document"),
	"saveOfferLetter":           uploadsFirst("document"),
	"changeAvatar":              uploadsFirst("image"),

	// What only outsiders send.
	"paystackWebhook": never, "vfdWebhook": never, "railWebhook": never, "railSecretWebhook": never,
	// Keys and proofs of phones; the town has none.
	"registerWitnessKey": never, "revokeWitnessKey": never, "addCosignature": never, "registerAttestKey": never, "revokeAttestKey": never, "attestMonth": never,
	"submitMonthBeacon": never, "submitAjoBeacon": never,
	// A second factor would keep its owner out of the town.
	"beginTotp": never, "confirmTotp": never, "removeTotp": never, "renewRecoveryCodes": never,
}

func ownPassword(_ context.Context, w *wish) (bool, error) {
	w.body["password"] = w.who.password
	delete(w.body, "code")
	return true, nil
}

func never(context.Context, *wish) (bool, error) { return false, nil }

// says sets fields.
func says(nameAndValue ...any) hint {
	return func(_ context.Context, w *wish) (bool, error) {
		for i := 0; i+1 < len(nameAndValue); i += 2 {
			w.body[nameAndValue[i].(string)] = nameAndValue[i+1]
		}
		return true, nil
	}
}

// writesTo names another person by their address.
func writesTo(field string) hint {
	return func(_ context.Context, w *wish) (bool, error) {
		var to any = w.another().email
		if field == "emails" {
			to = []any{to}
		}
		w.body[field] = to
		if _, has := w.body["case"]; has {
			w.body["case"] = "AD-1"
		}
		return true, nil
	}
}

// sentBack says of money in suspense that it is the return of a payout of its amount.
func sentBack(ctx context.Context, w *wish) (bool, error) {
	row, found, err := anyOf[struct{ Arrival, Payout string }](ctx, w.town, w.rng, `SELECT DISTINCT u.id::text, p.withdrawal_id FROM rm_unmatched u JOIN rm_bank_payouts p ON p.net = u.kobo AND p.provider = u.provider
		WHERE u.status = 'OPEN' AND p.status IN ('PAID', 'REVERSED') ORDER BY 1, 2`)
	w.path, w.body["payoutId"] = "/api/v1/finance/unmatched/"+row.Arrival+"/return", row.Payout
	return found && !w.town.Plain, err // It may be somebody else's money.
}

func joins(_ context.Context, w *wish) (bool, error) {
	group := recent(w.rng, w.town.memory.known["group"])
	w.body["groupId"], w.body["code"] = group, w.town.instance.App.Groups.InvitationCode(group)
	return group != "", nil
}

// anotherPassword changes one's password, and remembers it.
func anotherPassword(_ context.Context, w *wish) (bool, error) {
	next := password + "x"
	if w.who.password == next {
		next = password
	}
	w.body["currentPassword"], w.body["newPassword"] = w.who.password, next
	w.then = func() { w.who.password, w.who.token = next, "" }
	return true, nil
}

func trueBvn(_ context.Context, w *wish) (bool, error) {
	at := w.who.truth
	if w.odd { // Somebody else's number, under one's own name.
		at = one(w.rng, w.town.people...).truth
	}
	w.body = map[string]any{"account_number": at.Account, "bank_code": at.BankCode, "first_name": w.who.first, "last_name": "Town", "bvn": at.BVN}
	return true, nil
}

func trueDetails(_ context.Context, w *wish) (bool, error) {
	at := w.who.truth
	if w.odd {
		at = one(w.rng, w.town.people...).truth
	}
	w.body = map[string]any{"email": w.who.email, "bankAccountNumber": at.Account, "bankCode": at.BankCode, "address": "12 Marina, Lagos", "monthlySalaray": 250000, "dateForSalary": "2026-11-28"}
	return true, nil
}

// quoted asks for the price first.
func quoted(path string, fields ...string) hint {
	return func(ctx context.Context, w *wish) (bool, error) {
		ask := map[string]any{}
		for _, f := range fields {
			if v, has := w.body[f]; has {
				ask[f] = v
			}
		}
		r, err := w.town.does(ctx, w.who, "POST", path, ask)
		if err == nil {
			w.body["net"] = r.object()["net"]
		}
		return err == nil && r.status == 200, err
	}
}

func liquidates(ctx context.Context, w *wish) (bool, error) {
	group := w.id("group")
	w.body["groupId"], w.body["subAccountId"] = group, recent(w.rng, w.town.memory.near("sub account", group))
	if w.body["kind"] == "GROUP_DISBURSEMENT" {
		payee := w.another().truth
		w.body["accountNumber"], w.body["bankCode"] = payee.Account, payee.BankCode
	} else {
		delete(w.body, "accountNumber")
		delete(w.body, "bankCode")
	}
	if w.Name == "quoteLiquidation" {
		delete(w.body, "groupId")
		return true, nil
	}
	return quoted("/api/v1/savings/liquidations/quote", "subAccountId", "amount", "kind", "bankCode", "accountNumber")(ctx, w)
}

func opensSubAccount(_ context.Context, w *wish) (bool, error) {
	kind := w.body["paymentType"]
	if kind == "ONE_OFF" {
		w.body["paymentFrequency"] = "ONE_TIME"
	} else if w.body["paymentFrequency"] == "ONE_TIME" {
		w.body["paymentFrequency"] = "MONTHLY"
	}
	for _, field := range []string{"penaltyType", "penaltyAmount", "penaltyPercent"} {
		delete(w.body, field)
	}
	if kind == "FIXED" && w.town.Penalties && w.rng.IntN(2) == 0 {
		w.body["penaltyType"], w.body["penaltyAmount"], w.body["graceDays"] = "FLAT", 500, 2
	}
	return true, nil
}

// looksUp has the desk look at a member before it sets their tier.
func looksUp(ctx context.Context, w *wish) (bool, error) {
	if ok, err := writesTo("email")(ctx, w); !ok || err != nil {
		return ok, err
	}
	r, err := w.town.does(ctx, w.who, "POST", "/api/v1/finance/members/look-up", map[string]any{"email": w.body["email"], "case": w.body["case"]})
	if err == nil && r.status == 200 {
		w.body["seen"] = r.object()["version"]
	}
	return true, err
}

// namesCollector has a saver look at their card before they name who fills it.
func namesCollector(ctx context.Context, w *wish) (bool, error) {
	if ok, err := writesTo("email")(ctx, w); !ok || err != nil {
		return ok, err
	}
	r, err := w.town.does(ctx, w.who, "GET", "/api/v1/ajo/cards/"+w.id("card"), nil)
	if err == nil && r.status == 200 {
		w.body["seen"] = r.object()["collectorVersion"]
	}
	return true, err
}

func createsAjo(_ context.Context, w *wish) (bool, error) {
	members := 3 + w.rng.IntN(3)
	for field, value := range map[string]any{
		"type": "GROUP", "amount": one(w.rng, 2000, 5000), "duration": members, "memberCapacity": members, "hands": one(w.rng, "0.5", "1", "1"),
		"order": one(w.rng, "JOIN_ORDER", "MANUAL", "NEED", "BIDDING"), "frequency": one(w.rng, "WEEKLY", "BIWEEKLY", "MONTHLY"),
	} {
		if _, known := w.Body.Properties[field]; known {
			w.body[field] = value
		}
	}
	for _, field := range []string{"id", "draw", "existing", "nonce", "commitment", "commitmentVersion", "deposit", "dueDay"} {
		delete(w.body, field)
	}
	at := w.town.Now().AddDate(0, w.rng.IntN(2), 0)
	w.body["startMonthId"], w.body["year"] = int(at.Month()), at.Year()
	if w.Name == "createAjo" {
		w.body["nonce"] = strings.Repeat(fmt.Sprintf("%02x", w.who.number), 16)
	}
	return true, nil
}

func joinsAjo(ctx context.Context, w *wish) (bool, error) {
	ajo := w.id("ajo")
	if ajo == "" {
		return false, nil
	}
	code := w.town.instance.App.Ajo.InvitationCode(ajo)
	r, err := w.town.call(ctx, w.who, "GET", "/api/Ajo/GetAjoDataById/"+ajo+"?code="+url.QueryEscape(code), nil)
	if err != nil {
		return false, err
	}
	w.body["termsHash"] = r.object()["termsHash"]
	if w.Name != "acceptAjoTerms" {
		w.body["ajoId"], w.body["code"] = ajo, code
		delete(w.body, "commitment")
		delete(w.body, "commitmentVersion")
		delete(w.body, "seat")
	}
	if w.Name == "takeAjoPlace" {
		delete(w.body, "ajoId")
		w.body["seat"] = max(1, w.number("seat", 4))
	}
	return r.status == 200, nil
}

// withoutCard leaves out what only a payment by card can say.
func withoutCard(_ context.Context, w *wish) (bool, error) {
	if w.body["channel"] != "CARD" {
		delete(w.body, "saveCard")
	}
	delete(w.body, "cardId")
	return true, nil
}

// paysGroup pays into a sub-account of a group that somebody is in.
func paysGroup(ctx context.Context, w *wish) (bool, error) {
	for _, field := range []string{"ajoId", "cycle", "seat", "period"} {
		delete(w.body, field)
	}
	if sub := recent(w.rng, w.town.memory.near("sub account", w.id("group"))); sub != "" {
		w.ids["sub account"], w.body["subAccountId"] = sub, sub
	}
	w.body["amount"] = w.amount()
	return withoutCard(ctx, w)
}

// paysAjo names the seat and the cycle where a due is paid.
func paysAjo(_ context.Context, w *wish) (bool, error) {
	if w.body["what"] == "DUE" {
		w.body["cycle"], w.body["seat"] = max(1, w.number("cycle", 4)), max(1, w.number("seat", 4))
		delete(w.body, "memberId")
		delete(w.body, "debtId")
	}
	return true, nil
}

// fromLetter takes a code out of the newest letter that has such a link.
func fromLetter(link string) hint {
	return func(ctx context.Context, w *wish) (bool, error) {
		code, err := w.town.code(ctx, w.who.email, link)
		w.body["token"] = code
		if _, has := w.Body.Properties["password"]; has {
			w.body["password"] = w.who.password
		}
		if _, has := w.Body.Properties["newPassword"]; has {
			w.body["newPassword"] = w.who.password
		}
		return code != "", err
	}
}

func registers(_ context.Context, w *wish) (bool, error) {
	w.body = map[string]any{
		"email": fmt.Sprintf("stranger%d@example.com", w.rng.IntN(1000)), "password": password, "firstName": "Stranger", "lastName": "Town",
		"phone": "08031234567", "dateOfBirth": "1990-01-01",
	}
	return true, nil
}

func validates(_ context.Context, w *wish) (bool, error) {
	m := w.town.memory
	id := recent(w.rng, m.known["liquidation"])
	group := recent(w.rng, m.near("group", id))
	w.path = "/api/GroupSavings/validate-liquidation-request/" + group + "/" + id + "/" + one(w.rng, "approve", "approve", "approve", "reject")
	return id != "", nil
}

func candidate(_ context.Context, w *wish) (bool, error) {
	if near := w.town.memory.near("user", w.ids["group"]); len(near) > 0 {
		w.body["candidateId"] = recent(w.rng, near)
	}
	return true, nil
}

func reference(_ context.Context, w *wish) (bool, error) {
	id := w.near("payment")
	w.body["transactionRef"] = id
	for _, f := range w.town.memory.said(id, "reference") {
		w.body["transactionRef"] = f.text
	}
	return id != "", nil
}

// uploads sends a small paper as a form.
func uploads(field, value string) hint {
	return func(_ context.Context, w *wish) (bool, error) {
		said := [][2]string{{field, value}}
		if w.Name == "saveGroupDocument" {
			said = append(said, [2]string{"groupId", w.id("group")}, [2]string{"userId", w.who.id})
		}
		var err error
		w.form, err = paper(said...)
		return err == nil, err
	}
}

// uploadsFirst sends a paper and names it in a field.
func uploadsFirst(field string) hint {
	return func(ctx context.Context, w *wish) (bool, error) {
		kind := "document"
		if field == "image" {
			kind = "profile"
		}
		sent, err := paper([2]string{"kind", kind})
		if err != nil {
			return false, err
		}
		r, err := w.town.does(ctx, w.who, "POST", "/api/file/profile", sent)
		w.body[field] = r.object()["id"]
		return err == nil && r.status == http.StatusOK, err
	}
}

// paper is a form with a small paper, and fields beside it.
func paper(said ...[2]string) (form, error) {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for _, f := range said {
		if err := writer.WriteField(f[0], f[1]); err != nil {
			return form{}, err
		}
	}
	file, err := writer.CreateFormFile("file", "paper.pdf")
	if err != nil {
		return form{}, err
	}
	if _, err := file.Write([]byte("%PDF-1.4\n%%EOF\n")); err != nil {
		return form{}, err
	}
	err = writer.Close()
	return form{raw: body.Bytes(), kind: writer.FormDataContentType()}, err
}
